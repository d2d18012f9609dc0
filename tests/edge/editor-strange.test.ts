// What no page of ours sends: odd paths, wrong types, too much, many at once (script-tool.md §6, §7, §9).
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tool } from "@holdpoint/core/editor";
import {
  type Desk,
  entry,
  events,
  nowhere,
  otherUser,
  patch,
  proposes,
  sample,
  says,
  startDesk,
  type Told,
  uuid,
  width,
} from "./desk.ts";
import { type Call, chunk, last, sleep } from "./upstream.ts";
import { type Answer, eventually } from "./workerd.ts";

let desk: Desk;

before(async () => {
  desk = await startDesk({ play: (call) => says(call, proposes("Fine.", width(900))) });
});
after(() => desk?.stop());

const code = (answer: Answer) => [answer.status, answer.value?.error?.code];
const at = (answer: Answer) => [...code(answer), answer.value?.error?.details?.pointer];
const invalid = (pointer: string) => [422, "INVALID_INPUT", pointer];
/** The first answer of that status. */
const one = <T>(answers: Answer<T>[], status: number): Answer<T> =>
  last(answers.filter((answer) => answer.status === status));
const count = (answers: Answer[], status: number) =>
  answers.filter((answer: Answer) => answer.status === status).length;
/** The causes of a tool's revisions, newest first. */
const causes = async (tool: Tool) =>
  (await desk.ask("GET", `/tools/${tool.tool_id}/revisions`)).value.items.map((r) => r.cause);

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
    [`/tools/${tool_id}`]: ["GET", "PUT"],
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

test("many steps on one base: one of them is taken, each of the others hears where the script is", async () => {
  const tool = await desk.create();
  const own = `/tools/${tool.tool_id}`;
  const applied = (await desk.apply(tool, [width(900), entry("main")])).value;
  type Ask = (base_revision_id: string, n: number) => Promise<Answer<Told>>;
  const race = async (base_revision_id = "", ask: Ask) => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => ask(base_revision_id, n)),
    );
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 11]);
    const { revision_id } = one(answers, 200).value;
    for (const { value } of answers.filter((answer) => answer.status === 409)) {
      const { reason, revision_id: present } = value.error.details;
      assert.deepEqual(
        [value.error.code, reason, present],
        ["CONFLICT", "base_changed", revision_id],
      );
    }
    return revision_id;
  };
  const step =
    (word: string, more = {}) =>
    (base_revision_id: string) =>
      desk.ask("POST", `${own}/${word}`, { base_revision_id, ...more });
  let base = await race(applied.revision_id, step("undo"));
  base = await race(base, step("redo"));
  base = await race(base, step("restore", { revision_id: "rev_1" }));
  base = await race(base, (on, n) =>
    desk.ask("PUT", own, { base_revision_id: on, virtual_files: { "entrypoint.txt": `f${n}\n` } }),
  );
  assert.deepEqual(await causes(tool), ["hand", "restore", "redo", "undo", "apply", "hand"]);
  assert.equal((await desk.tool(tool)).revision_id, base);
});

test("the same apply, sent twelve times at once, is applied once; undo, save and apply never mix", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900)])).value;
  const body = desk.signed(tool, [width(900)], seen);
  const id = uuid();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => desk.ask("POST", "/edit-ops/apply", body, { id })),
  );
  assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 11]);
  const now = await desk.tool(tool);
  const lost = one(answers, 409).value.error;
  assert.deepEqual(
    [lost.code, lost.details.reason, lost.details.revision_id],
    ["CONFLICT", "base_changed", now.revision_id],
  );

  const other = desk.signed(now, [entry("main")], (await desk.preview(now, [entry("main")])).value);
  const base_revision_id = now.revision_id;
  const mixed = await Promise.all([
    desk.ask("POST", "/edit-ops/apply", other),
    desk.ask("POST", `/tools/${tool.tool_id}/undo`, { base_revision_id }),
    desk.ask("PUT", `/tools/${tool.tool_id}`, {
      base_revision_id,
      virtual_files: { "usage_instructions.md": "Mine.\n" },
    }),
  ]);
  // An apply asks only for its own files; undo and save ask for the whole script as they saw it.
  assert.equal(mixed[0].status, 200, mixed[0].raw);
  assert.ok(count(mixed.slice(1), 200) <= 1 && count(mixed, 200) + count(mixed, 409) === 3);
  assert.equal((await causes(tool)).length, 2 + count(mixed, 200));
  assert.equal((await desk.tool(tool)).virtual_files["entrypoint.txt"], "main\n");
});

/** Begins to answer, then waits until it is closed from the other side. */
const hangs = async (call: Call) => {
  call.head();
  call.send(chunk("Some words "));
  await call.closed;
};

test("previews, applies, saves and undo go on while the model answers", async () => {
  const tool = await desk.create();
  desk.play = hangs;
  const running = desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message: "Why?" });
  await eventually(async () => ({ ok: (await desk.thread(tool)).length === 2 }));
  const applied = await desk.apply(tool, [width(900)]);
  assert.equal(applied.value.applied, true, applied.raw);
  const undone = await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
    base_revision_id: applied.value.revision_id,
  });
  assert.deepEqual([undone.status, undone.value.virtual_files], [200, sample]);
  assert.deepEqual(code(await desk.edit(tool, "Wider.")), [409, "REQUEST_IN_FLIGHT"]);
  assert.deepEqual((await desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})).value, {
    cancelled: true,
  });
  assert.equal(last(events((await running).raw)).data.reason, "cancelled");
  const [, answered] = await desk.thread(tool);
  assert.deepEqual([answered.status, answered.content], ["cancelled", "Some words "]);
  assert.deepEqual((await desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})).value, {
    cancelled: false,
  });
});

const stops: [string, (tool: Tool) => Promise<Answer>][] = [
  ["cleared", (tool) => desk.ask("DELETE", `/tools/${tool.tool_id}/chat`)],
  ["stopped", (tool) => desk.ask("POST", `/tools/${tool.tool_id}/chat/cancel`, {})],
];

for (const [name, stop] of stops) {
  test(`${name} while it runs: the place is free at once, and nothing is written behind it`, async () => {
    const chat = (message: string) => desk.ask("POST", `/tools/${tool.tool_id}/chat`, { message });
    const tool = await desk.create();
    let freed = 0;
    for (let wait = 0; wait < 100; wait += 10) {
      desk.play = hangs;
      const running = chat("Before.");
      await sleep(wait);
      for (const answer of await Promise.all([stop(tool), stop(tool)]))
        assert.ok(answer.status < 300, answer.raw);
      desk.play = (call) => says(call, "After.");
      const next = await chat("Then.");
      // The stop overtook what it was to stop.
      if (next.status === 409) await stop(tool);
      const ended = await running;
      const thread = await desk.thread(tool);
      assert.ok(
        !thread.some((message) => message.status === "pending"),
        `${wait} ms: ${JSON.stringify(thread)}`,
      );
      if (
        next.status === 200 &&
        (ended.status === 499 || events(ended.raw).at(-1)?.data.reason === "cancelled")
      ) {
        freed += 1;
        const before = thread
          .filter((message) => message.content === "Before.")
          .map((message) => message.status);
        assert.ok(
          name === "cleared"
            ? before.length === 0
            : before.every((status) => status === "cancelled"),
          `${wait} ms: ${before}`,
        );
      }
      await desk.ask("DELETE", `/tools/${tool.tool_id}/chat`);
      assert.deepEqual(await desk.thread(tool), []);
    }
    assert.ok(freed > 0, "no stop came in time");
  });
}

test("a proposal is discarded once, by its own person, under its own id", async () => {
  const tool = await desk.create();
  const named = { tool_id: tool.tool_id };
  const discard = (id?: string, options = {}) =>
    desk.ask<{ discarded: boolean }>("POST", "/edit-ops/discard", named, { id, ...options });
  const decision = async () => last(await desk.thread(tool)).decision;
  desk.play = (call) => says(call, proposes("Fine.", width(900)));
  const first = uuid();
  const { ops } = (await desk.edit(tool, "Wider.", {}, { id: first })).value;
  const bob = await otherUser(desk, "bob");
  assert.deepEqual(code(await discard(first, { token: bob })), [403, "FORBIDDEN"]);
  for (const id of [uuid(), undefined])
    assert.deepEqual((await discard(id)).value, { discarded: false });
  const at_once = await Promise.all([discard(first), discard(first), discard(first)]);
  assert.deepEqual(at_once.map((answer) => answer.value.discarded).sort(), [false, false, true]);
  assert.equal(await decision(), "discarded");
  // The other tab applies what this one discarded; then it is not to be discarded any more.
  const applied = await desk.apply(tool, ops, {}, { id: first });
  assert.deepEqual([applied.value.applied, await decision()], [true, "applied"]);
  assert.deepEqual((await discard(first)).value, { discarded: false });
  await desk.ask("POST", `/tools/${tool.tool_id}/undo`, {
    base_revision_id: applied.value.revision_id,
  });
  assert.deepEqual(
    [(await discard(first)).value, await decision()],
    [{ discarded: false }, "undone"],
  );
});

test("a file that is none of the five: refused if sent, answered if proposed, never stored", async () => {
  const tool = await desk.create();
  for (const path of ["../../etc/passwd", "dörr.py", "tool.py\u0000", "TOOL.PY", "", "__proto__"]) {
    const op = patch(path, `--- a/${path}`, `+++ b/${path}`, "@@ -1 +1 @@", "-a", "+b");
    const seen = await desk.preview(tool, [op]);
    assert.deepEqual(
      [seen.status, seen.value.ok, seen.value.error_details[0].code],
      [200, false, "unknown_file"],
      path,
    );
    desk.play = (call) => says(call, proposes("Elsewhere.", op));
    const got = (await desk.edit(tool, "Elsewhere.")).value;
    assert.deepEqual(
      [got.outcome, got.code, got.ops],
      ["parse_failed", "EDITOPS_FILE_UNKNOWN", []],
      path,
    );
  }
  assert.deepEqual(await desk.tool(tool), tool);
});

test("texts are kept byte for byte, whatever they hold", async () => {
  const texts = {
    "tool.py": "\ufeffa\u0000b\r\nc\rd\u2028\u202ee\n\n",
    "entrypoint.txt": " run \t",
    "settings_schema.json": "{",
    "input_schema.json": "",
    "usage_instructions.md": "🚪é é\u{10ffff}",
  };
  const tool = await desk.create({ virtual_files: texts });
  assert.deepEqual([tool.virtual_files, (await desk.tool(tool)).virtual_files], [texts, texts]);
  const saved = await desk.ask("PUT", `/tools/${tool.tool_id}`, {
    base_revision_id: tool.revision_id,
    virtual_files: { "input_schema.json": "\u0000" },
  });
  assert.equal(saved.value.virtual_files["input_schema.json"], "\u0000");
  assert.deepEqual(
    (await desk.ask("GET", `/tools/${tool.tool_id}/revisions/rev_1`)).value.virtual_files,
    texts,
  );
});

test("a page of elsewhere hears no more than its correlation id", async () => {
  const id = uuid();
  const got = await desk.ask("GET", "/tools", undefined, {
    id,
    headers: { origin: "https://elsewhere.example" },
  });
  assert.deepEqual(
    [...code(got), got.value.correlation_id, got.headers.get("x-correlation-id")],
    [403, "ORIGIN_DENIED", id, id],
  );
  const flight = await desk.ask("OPTIONS", "/tools", undefined, {
    id,
    token: "",
    headers: {
      origin: desk.edge.url,
      "access-control-request-method": "POST",
      "access-control-request-headers": "x-correlation-id",
    },
  });
  assert.deepEqual(
    [flight.status, flight.raw, flight.headers.get("x-correlation-id")],
    [204, "", id],
  );
  assert.match(flight.headers.get("access-control-allow-headers") ?? "", /x-correlation-id/);
});

test("another user is forbidden, another account sees nothing, and neither leaves anything there", async () => {
  const own = await startDesk({ play: (call) => call.cut() });
  try {
    const tool = await own.create();
    await own.edge.kill();
    own.edge.variables.ISSUER = "elsewhere";
    own.edge.tokens = undefined;
    await own.edge.start();
    const token = (await own.edge.keys()).user_token;
    const path = `/tools/${tool.tool_id}`;
    const body = {
      tool_id: tool.tool_id,
      base_revision_id: "rev_1",
      revision_id: "rev_1",
      virtual_files: sample,
      title: "x",
      message: "x",
      active_file: "tool.py",
      ops: [width(900)],
    };
    const routes = [
      ["POST", "/edit-ops"],
      ["POST", "/edit-ops/preview"],
      ["POST", "/edit-ops/apply"],
      ["POST", "/edit-ops/discard"],
      ["GET", path],
      ["PUT", path],
      ["GET", `${path}/chat`],
      ["POST", `${path}/chat`],
      ["DELETE", `${path}/chat`],
      ["POST", `${path}/chat/cancel`],
      ["POST", `${path}/undo`],
      ["POST", `${path}/redo`],
      ["POST", `${path}/restore`],
      ["GET", `${path}/revisions`],
      ["GET", `${path}/revisions/rev_1`],
      ["GET", `${path}/checkpoints`],
      ["POST", `${path}/checkpoints`],
    ];
    const bob = await otherUser(own);
    for (const [method, route] of routes) {
      const sent = ["GET", "DELETE"].includes(method) ? undefined : body;
      const got = await own.ask(method, route, sent, { token });
      assert.deepEqual(code(got), [404, "NOT_FOUND"], `${method} ${route}`);
      assert.ok(!got.raw.includes(tool.tool_id), got.raw);
      const forbidden = await own.ask(method, route, sent, { token: bob });
      assert.deepEqual(
        [...code(forbidden), forbidden.value.error.details.tool_id],
        [403, "FORBIDDEN", tool.tool_id],
        `${method} ${route}`,
      );
    }
    assert.deepEqual((await own.ask("GET", "/tools", undefined, { token })).value.items, []);
    assert.deepEqual(await own.tool(tool), tool, "its own account's key still opens it");
    assert.deepEqual(await own.thread(tool), []);
  } finally {
    await own.stop();
  }
});

test("what a failed apply and a rejected one leave: nothing", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900)])).value;
  const good = desk.signed(tool, [width(900)], seen);
  const bodies = [
    { ...good, ops: [] },
    { ...good, confirm_token: 3 },
    { ...good, base_hash: "x" },
    { ...good, result_hash: seen.meta.base_hash },
    { ...good, virtual_files: { "entrypoint.txt": sample["entrypoint.txt"] } },
    { ...good, ops: [nowhere] },
    { ...good, base_revision_id: "rev_2" },
    { ...good, base_revision_id: "cp_1" },
    { ...good, accept: { "tool.py": ["9,9+9,9"] } },
  ];
  const got = [];
  for (const body of bodies) got.push((await desk.ask("POST", "/edit-ops/apply", body)).status);
  // What fits nowhere is an answer, whatever was signed.
  assert.deepEqual(got, [422, 422, 409, 409, 409, 200, 409, 409, 422]);
  assert.deepEqual([await desk.tool(tool), await causes(tool)], [tool, ["hand"]]);
  assert.deepEqual((await desk.ask("GET", `/tools/${tool.tool_id}/checkpoints`)).value.items, []);
  assert.equal((await desk.ask("POST", "/edit-ops/apply", good)).value.applied, true);
});
