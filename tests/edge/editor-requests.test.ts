// How a request to the editor must be written: paths, methods, bodies, members, pages of a list (script-tool.md §6).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { at, code, invalid, proposes, sample, says, startDesk, width } from "./desk.ts";

const desk = await during(startDesk({ play: (call) => says(call, proposes("Fine.", width(900))) }));

test("an id may be written percent-encoded; a path with an empty segment is another path", async () => {
  const tool = await desk.create();
  const encoded = [...tool.tool_id].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
  assert.deepEqual((await desk.ask("GET", `/tools/${encoded}`)).value, tool);
  assert.equal(
    (await desk.ask("GET", `/tools/${tool.tool_id}/revisions/%72ev_1`)).value.revision_id,
    "rev_1",
  );
  for (const path of [
    "",
    "/",
    "/tools/",
    "//tools",
    `/tools//${tool.tool_id}`,
    `/tools/${tool.tool_id}/`,
    "/tools//chat",
    `/tools/${tool.tool_id}//chat`,
    "/tools/%zz",
    "/tools/%00",
    "/tools/..%2f..%2ftools",
    `/tools/x%2f${tool.tool_id}`,
    `/tools/${encodeURIComponent("dörr 🚪")}`,
    `/tools/${tool.tool_id.toUpperCase()}`,
    `/tools/${"x".repeat(4_000)}`,
    `/tools/${tool.tool_id}/files`,
    "/toolsy",
  ]) {
    const got = await desk.ask("GET", path);
    assert.deepEqual(code(got), [404, "NOT_FOUND"], path);
    assert.equal(got.value.correlation_id, got.headers.get("x-correlation-id"), path);
  }
  for (const id of [
    "rev_0",
    "rev_01",
    "rev_-1",
    "rev_9223372036854775808",
    "cp_1",
    "REV_1",
    "rev_1%20",
    "%00",
  ]) {
    assert.deepEqual(
      code(await desk.ask("GET", `/tools/${tool.tool_id}/revisions/${id}`)),
      [404, "NOT_FOUND"],
      id,
    );
  }
});

test("every path knows its methods and answers 405 to the others", async () => {
  const { tool_id } = await desk.create();
  const methods = {
    "/edit-ops": ["POST"],
    "/edit-ops/preview": ["POST"],
    "/edit-ops/apply": ["POST"],
    "/edit-ops/discard": ["POST"],
    "/tools": ["GET", "POST"],
    [`/tools/${tool_id}`]: ["GET", "PUT", "PATCH", "DELETE"],
    [`/tools/${tool_id}/bring-back`]: ["POST"],
    [`/tools/${tool_id}/chat`]: ["GET", "POST", "DELETE"],
    [`/tools/${tool_id}/chat/cancel`]: ["POST"],
    [`/tools/${tool_id}/undo`]: ["POST"],
    [`/tools/${tool_id}/redo`]: ["POST"],
    [`/tools/${tool_id}/restore`]: ["POST"],
    [`/tools/${tool_id}/checkpoints`]: ["GET", "POST"],
    [`/tools/${tool_id}/revisions`]: ["GET"],
    [`/tools/${tool_id}/revisions/rev_1`]: ["GET"],
  };
  for (const [path, known] of Object.entries(methods)) {
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (one) => !known.includes(one),
    )) {
      const got = await desk.ask(method, path, method === "GET" ? undefined : {});
      assert.deepEqual(code(got), [405, "METHOD_NOT_ALLOWED"], `${method} ${path}`);
    }
  }
});

test("a body that is no JSON object is wrong as a whole; without its type it is not read", async () => {
  const tool = await desk.create();
  const lone = '{"base_revision_id": "rev_1", "virtual_files": {"tool.py": "\\ud83d"}}';
  for (const body of [
    "",
    "{",
    "[]",
    "null",
    "3",
    '"x"',
    '{"base_revision_id": "a", "base_revision_id": "b"}',
    lone,
    `{"a": ${"[".repeat(99)}${"]".repeat(99)}}`,
  ]) {
    assert.deepEqual(
      at(await desk.ask("PUT", `/tools/${tool.tool_id}`, body)),
      invalid(""),
      body.slice(0, 40),
    );
  }
  const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
  const raw = await fetch(`${desk.edge.url}/api/v1/editor/tools`, {
    method: "POST",
    body: bytes,
    headers: { authorization: `Bearer ${desk.token}`, "content-type": "application/json" },
  });
  assert.equal(raw.status, 422);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""]) {
    const got = await desk.ask("POST", `/tools/${tool.tool_id}/undo`, "{}", {
      headers: { "content-type": type },
    });
    assert.deepEqual(code(got), [415, "UNSUPPORTED_MEDIA_TYPE"], type);
  }
  assert.deepEqual(code(await desk.ask("POST", `/tools/${tool.tool_id}/undo`)), [
    415,
    "UNSUPPORTED_MEDIA_TYPE",
  ]);
  const charset = { headers: { "content-type": "Application/JSON; charset=utf-8" } };
  assert.equal(
    (await desk.ask("POST", "/tools", { title: "Å 🚪", unknown: [1] }, charset)).value.title,
    "Å 🚪",
  );
  const huge = await desk.ask(
    "POST",
    "/edit-ops/preview",
    JSON.stringify({ tool_id: tool.tool_id, x: "x".repeat(16 << 20) }),
  );
  assert.deepEqual(code(huge), [413, "INPUT_TOO_LARGE"]);
  const { limit, max, actual } = huge.value.error.details;
  assert.deepEqual([limit, max, actual > max], ["MAX_BODY_BYTES", 16 << 20, true]);
});

test("values of wrong types are named, on every route with a body", async () => {
  const tool = await desk.create();
  const own = `/tools/${tool.tool_id}`;
  const base_revision_id = tool.revision_id;
  const edit = {
    tool_id: tool.tool_id,
    message: "x",
    active_file: "tool.py",
    virtual_files: sample,
  };
  const look = {
    tool_id: tool.tool_id,
    active_file: "tool.py",
    virtual_files: sample,
    ops: [width(900)],
  };
  const cases: [string, string, unknown, string][] = [
    ["POST", "/tools", { title: 3 }, "/title"],
    ["POST", "/tools", { title: "x".repeat(201) }, "/title"],
    ["POST", "/tools", { title: "a\nb" }, "/title"],
    ["POST", "/tools", { title: "x", virtual_files: [] }, "/virtual_files"],
    ["POST", "/tools", { title: "x", sample: 4 }, "/sample"],
    ["PUT", own, { base_revision_id: 1, virtual_files: {} }, "/base_revision_id"],
    ["PUT", own, { base_revision_id, virtual_files: null }, "/virtual_files"],
    [
      "PUT",
      own,
      `{"base_revision_id": "rev_1", "virtual_files": {"__proto__": "x"}}`,
      "/virtual_files/__proto__",
    ],
    ["PUT", own, { base_revision_id, virtual_files: { "../a/b": "" } }, "/virtual_files/..~1a~1b"],
    [
      "PUT",
      own,
      { base_revision_id, virtual_files: { "tool.py": null } },
      "/virtual_files/tool.py",
    ],
    ["POST", `${own}/undo`, { base_revision_id: null }, "/base_revision_id"],
    ["POST", `${own}/redo`, { base_revision_id: {} }, "/base_revision_id"],
    ["POST", `${own}/restore`, { revision_id: "rev_1" }, "/base_revision_id"],
    ["POST", `${own}/checkpoints`, { title: null }, "/title"],
    ["POST", "/edit-ops", { ...edit, tool_id: [tool.tool_id] }, "/tool_id"],
    ["POST", "/edit-ops", { ...edit, selection: 3 }, "/selection/from"],
    ["POST", "/edit-ops", { ...edit, cursor: { pos: 2 ** 40 } }, "/cursor/pos"],
    ["POST", "/edit-ops", { ...edit, options: "auto" }, "/options"],
    ["POST", "/edit-ops", { ...edit, allow_remote_fallback: "yes" }, "/allow_remote_fallback"],
    [
      "POST",
      "/edit-ops",
      { ...edit, feedback: { discarded_reason: 5 } },
      "/feedback/discarded_reason",
    ],
    ["POST", `${own}/chat`, { message: ["x"] }, "/message"],
    ["POST", `${own}/chat`, { message: "x", active_file: "main.py" }, "/active_file"],
    [
      "POST",
      `${own}/chat`,
      { message: "x", active_file: "entrypoint.txt", virtual_files: { "tool.py": "" } },
      "/active_file",
    ],
    ["POST", `${own}/chat`, { message: "x", allow_remote_fallback: 1 }, "/allow_remote_fallback"],
    ["POST", "/edit-ops/preview", { ...look, ops: {} }, "/ops"],
    ["POST", "/edit-ops/preview", { ...look, ops: [3] }, "/ops/0"],
    [
      "POST",
      "/edit-ops/preview",
      { ...look, ops: [{ op: "rewrite", target_file: "tool.py" }] },
      "/ops/0/op",
    ],
    ["POST", "/edit-ops/preview", { ...look, accept: [] }, "/accept"],
    ["POST", "/edit-ops/preview", { ...look, virtual_files: {} }, "/active_file"],
    ["POST", "/edit-ops/discard", { tool_id: null }, "/tool_id"],
  ];
  const calls = desk.upstream.calls.length;
  for (const [method, path, body, pointer] of cases) {
    assert.deepEqual(
      at(await desk.ask(method, path, body)),
      invalid(pointer),
      `${method} ${path} ${JSON.stringify(body).slice(0, 80)}`,
    );
  }
  assert.deepEqual(
    [await desk.tool(tool), await desk.thread(tool), desk.upstream.calls.length],
    [tool, [], calls],
  );
});

test("a list goes on only where one of its pages ended", async () => {
  const tool = await desk.create();
  for (const path of [
    "/tools",
    `/tools/${tool.tool_id}/revisions`,
    `/tools/${tool.tool_id}/checkpoints`,
  ]) {
    for (const cursor of ["", "x", "ledger_1", "%00"]) {
      assert.deepEqual(
        at(await desk.ask("GET", `${path}?cursor=${cursor}`)),
        invalid("/cursor"),
        `${path} ${cursor}`,
      );
    }
    for (const limit of ["0", "501", "-1", "1.5", "", "x"]) {
      assert.deepEqual(
        at(await desk.ask("GET", `${path}?limit=${limit}`)),
        invalid("/limit"),
        `${path} ${limit}`,
      );
    }
  }
});

test("a restore takes one id, under the name of its kind", async () => {
  const tool = await desk.create();
  const { checkpoint_id } = (
    await desk.ask("POST", `/tools/${tool.tool_id}/checkpoints`, { title: "före 🚪" })
  ).value;
  const restore = (to: object) =>
    desk.ask("POST", `/tools/${tool.tool_id}/restore`, {
      base_revision_id: tool.revision_id,
      ...to,
    });
  const cases: [object, string][] = [
    [{ revision_id: checkpoint_id }, "/revision_id"],
    [{ checkpoint_id: tool.revision_id }, "/checkpoint_id"],
    [{ revision_id: tool.revision_id, checkpoint_id }, "/checkpoint_id"],
    [{ revision_id: 1 }, "/revision_id"],
    [{ checkpoint_id: [checkpoint_id] }, "/checkpoint_id"],
    [{ revision_id: null, checkpoint_id: null }, "/revision_id"],
  ];
  for (const [to, pointer] of cases)
    assert.deepEqual(at(await restore(to)), invalid(pointer), JSON.stringify(to));
  for (const to of [
    { revision_id: "rev_9" },
    { revision_id: "" },
    { checkpoint_id: "cp_9" },
    { checkpoint_id: "x" },
  ]) {
    assert.deepEqual(code(await restore(to)), [404, "NOT_FOUND"], JSON.stringify(to));
  }
  assert.deepEqual(await desk.tool(tool), tool);
  assert.equal((await restore({ revision_id: null, checkpoint_id })).status, 200);
});
