// What no page of ours sends, and what it leaves: strange files and texts, other pages, users and
// accounts, applies that fail (script-tool.md §6, §7).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  code,
  nowhere,
  otherUser,
  patch,
  proposes,
  sample,
  says,
  startDesk,
  uuid,
  width,
} from "./desk.ts";

const desk = await during(startDesk({ play: (call) => says(call, proposes("Fine.", width(900))) }));

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
  assert.deepEqual([await desk.tool(tool), await desk.causes(tool)], [tool, ["hand"]]);
  assert.deepEqual((await desk.ask("GET", `/tools/${tool.tool_id}/checkpoints`)).value.items, []);
  assert.equal((await desk.ask("POST", "/edit-ops/apply", good)).value.applied, true);
});
