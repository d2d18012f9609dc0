// Scripts as objects: made, saved, stepped through, restored; who may see them (script-tool.md §6).
import assert from "node:assert/strict";
import { test } from "node:test";
import { during } from "../during.ts";
import { code, entry, FILES, otherUser, sample, startDesk, uuid, width } from "./desk.ts";

const desk = await during(startDesk({ play: (call) => call.cut() }));

test("made from a sample, from files, or empty; listed; one way to see each", async () => {
  const tool = await desk.create();
  assert.match(tool.tool_id, /^tool_/);
  assert.deepEqual(tool.virtual_files, sample);
  assert.deepEqual([tool.title, tool.can_undo, tool.can_redo], ["Doors", false, false]);
  assert.deepEqual(Object.keys(tool.base_fingerprints).sort(), [...FILES].sort());
  assert.deepEqual(await desk.tool(tool), tool);

  const own = { ...sample, "usage_instructions.md": "Mine.\r\n" };
  assert.deepEqual((await desk.create({ virtual_files: own })).virtual_files, own);
  const empty = await desk.create({}, "Empty");
  assert.deepEqual(Object.values(empty.virtual_files), ["", "", "", "", ""]);

  const list = await desk.ask("GET", "/tools?limit=2");
  assert.equal(list.value.items.length, 2);
  assert.deepEqual(Object.keys(list.value.items[0]).sort(), [
    "revision_id",
    "title",
    "tool_id",
    "updated_at",
  ]);
  assert.equal(list.value.items[0].tool_id, empty.tool_id, "newest first");
  const rest = await desk.ask("GET", `/tools?limit=2&cursor=${list.value.next_cursor}`);
  assert.deepEqual([rest.value.items.length, rest.value.next_cursor], [1, null]);
});

test("a script is renamed, deleted, and brought back as it was by whose it is", async () => {
  const tool = await desk.create();
  const at = `/tools/${tool.tool_id}`;
  const named = async () =>
    (await desk.ask("GET", "/tools")).value.items.filter((one) => one.tool_id === tool.tool_id);
  const renamed = await desk.ask("PATCH", at, { title: " Fire doors " });
  assert.deepEqual(renamed.value, { ...tool, title: "Fire doors" }, "no revision is made of it");
  assert.deepEqual(
    (await named()).map(({ title }) => title),
    ["Fire doors"],
  );
  assert.deepEqual(code(await desk.ask("PATCH", at, { title: "" })), [422, "INVALID_INPUT"]);

  assert.equal((await desk.ask("DELETE", at)).status, 204);
  assert.deepEqual(await named(), []);
  assert.deepEqual(code(await desk.ask("GET", at)), [404, "NOT_FOUND"]);
  assert.deepEqual(code(await desk.ask("DELETE", at)), [404, "NOT_FOUND"]);
  const bob = await otherUser(desk, "rob");
  const back = (token = desk.token) => desk.ask("POST", `${at}/bring-back`, {}, { token });
  assert.deepEqual(code(await back(bob)), [403, "FORBIDDEN"]);
  const { value } = await back();
  assert.deepEqual(
    [value.title, value.virtual_files, value.revision_id],
    ["Fire doors", tool.virtual_files, "rev_3"],
  );
  assert.equal((await back()).value.revision_id, "rev_3", "what is there stays as it is");
  assert.equal((await named()).length, 1);
  assert.deepEqual(await desk.causes(tool), ["restore", "remove", "hand"]);
  for (const id of [`${tool.tool_id.slice(0, -1)}_`, "none"])
    assert.deepEqual(code(await desk.ask("POST", `/tools/${id}/bring-back`, {})), [
      404,
      "NOT_FOUND",
    ]);
});

test("bad bodies are 422 with a pointer, and make nothing", async () => {
  const before = (await desk.ask("GET", "/tools")).value.items.length;
  const cases = [
    [{ title: "" }, "/title"],
    [{ sample: "door-report" }, "/title"],
    [{ title: "x", sample: "no-such" }, "/sample"],
    [{ title: "x", sample: "door-report", virtual_files: sample }, "/sample"],
    [{ title: "x", virtual_files: { "tool.py": "" } }, "/virtual_files/entrypoint.txt"],
    [{ title: "x", virtual_files: { ...sample, "a.py": "" } }, "/virtual_files/a.py"],
    [{ title: "x", virtual_files: { ...sample, "tool.py": 1 } }, "/virtual_files/tool.py"],
  ];
  for (const [body, pointer] of cases) {
    const got = await desk.ask("POST", "/tools", body);
    assert.deepEqual(code(got), [422, "INVALID_INPUT"], got.raw);
    assert.equal(got.value.error.details.pointer, pointer);
  }
  assert.deepEqual(code(await desk.ask("POST", "/tools", "{")), [422, "INVALID_INPUT"]);
  const large = { title: "x", virtual_files: { ...sample, "entrypoint.txt": "x".repeat(257) } };
  const got = await desk.ask("POST", "/tools", large);
  assert.deepEqual(code(got), [413, "INPUT_TOO_LARGE"]);
  assert.deepEqual(got.value.error.details, { limit: "MAX_FILE_BYTES", max: 256, actual: 257 });
  assert.equal((await desk.ask("GET", "/tools")).value.items.length, before);
});

test("another user is forbidden, another account sees nothing, neither needs a token to learn it", async () => {
  const tool = await desk.create();
  const bob = await otherUser(desk);
  const asks: [string, string, object?][] = [
    ["GET", `/tools/${tool.tool_id}`],
    ["PUT", `/tools/${tool.tool_id}`, { base_revision_id: tool.revision_id, virtual_files: {} }],
    ["GET", `/tools/${tool.tool_id}/chat`],
    ["POST", "/edit-ops", { tool_id: tool.tool_id }],
    ["POST", "/edit-ops/apply", { tool_id: tool.tool_id }],
  ];
  for (const [method, path, body] of asks) {
    const got = await desk.ask(method, path, body, { token: bob });
    assert.deepEqual(code(got), [403, "FORBIDDEN"], `${method} ${path}`);
    assert.equal(got.value.error.details.tool_id, tool.tool_id);
    assert.deepEqual(code(await desk.ask(method, path, body, { token: "" })), [
      401,
      "AUTH_MISSING_TOKEN",
    ]);
  }
  assert.deepEqual((await desk.ask("GET", "/tools", undefined, { token: bob })).value.items, []);
  const unknown = "tool_00000000000000000000000000";
  assert.deepEqual(code(await desk.ask("GET", `/tools/${unknown}`)), [404, "NOT_FOUND"]);
  assert.deepEqual(code(await desk.ask("GET", "/no-such-route")), [404, "NOT_FOUND"]);
  assert.deepEqual(code(await desk.ask("POST", `/tools/${tool.tool_id}`)), [
    405,
    "METHOD_NOT_ALLOWED",
  ]);
  assert.deepEqual(code(await desk.ask("GET", "/tools", undefined, { token: "hp_wrong" })), [
    401,
    "AUTH_INVALID_TOKEN",
  ]);
});

test("one correlation id, echoed everywhere; anything but a UUID is replaced", async () => {
  const id = uuid();
  const good = await desk.ask("GET", "/tools", undefined, { id });
  assert.equal(good.headers.get("x-correlation-id"), id);
  const loud = await desk.ask("GET", "/tools", undefined, { id: id.toUpperCase() });
  assert.equal(loud.headers.get("x-correlation-id"), id.toUpperCase(), "as it came");
  const bad = await desk.ask("GET", "/tools/none", undefined, { id });
  assert.deepEqual([bad.headers.get("x-correlation-id"), bad.value.correlation_id], [id, id]);
  for (const wrong of ["1", "not-a-uuid", `${id}0`, "x".repeat(36)]) {
    const got = await desk.ask("GET", "/tools", undefined, { id: wrong });
    assert.match(
      got.headers.get("x-correlation-id") ?? "",
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  }
});

test("saves are gated by the revision, and are revisions", async () => {
  const tool = await desk.create();
  const put = (base: string, virtual_files: object) =>
    desk.ask("PUT", `/tools/${tool.tool_id}`, { base_revision_id: base, virtual_files });
  const saved = await put(tool.revision_id, { "tool.py": "x = 1\n" });
  assert.equal(saved.status, 200, saved.raw);
  assert.notEqual(saved.value.revision_id, tool.revision_id);
  const same = await put(saved.value.revision_id, { "tool.py": "x = 1\n" });
  assert.equal(same.value.revision_id, saved.value.revision_id, "nothing changed");
  const stale = await put(tool.revision_id, { "tool.py": "y = 2\n" });
  assert.deepEqual(code(stale), [409, "CONFLICT"]);
  assert.equal(stale.value.error.details.revision_id, saved.value.revision_id);
  assert.equal((await desk.tool(tool)).virtual_files["tool.py"], "x = 1\n");
  const [item] = (await desk.ask("GET", "/tools")).value.items;
  assert.equal(item.revision_id, saved.value.revision_id, "the list follows");

  const list = (await desk.ask("GET", `/tools/${tool.tool_id}/revisions`)).value;
  assert.deepEqual(
    list.items.map((r) => [r.cause, r.changed_files]),
    [
      ["hand", ["tool.py"]],
      ["hand", [...FILES].sort()],
    ],
  );
  assert.equal(list.items[0].who, "user:dev");
  const one = await desk.ask("GET", `/tools/${tool.tool_id}/revisions/${tool.revision_id}`);
  assert.deepEqual(one.value.virtual_files, sample);
  assert.deepEqual(code(await desk.ask("GET", `/tools/${tool.tool_id}/revisions/rev_99`)), [
    404,
    "NOT_FOUND",
  ]);
});

test("a save that makes all files together too large is refused", async () => {
  const sizes = {
    "tool.py": 524_288,
    "entrypoint.txt": 0,
    "settings_schema.json": 131_072,
    "input_schema.json": 131_072,
    "usage_instructions.md": 262_144,
  };
  const tool = await desk.create({
    virtual_files: Object.fromEntries(FILES.map((path) => [path, " ".repeat(sizes[path])])),
  });
  const save = { base_revision_id: tool.revision_id, virtual_files: { "entrypoint.txt": "run" } };
  const got = await desk.ask("PUT", `/tools/${tool.tool_id}`, save);
  assert.deepEqual(code(got), [413, "INPUT_TOO_LARGE"]);
  assert.deepEqual(got.value.error.details, {
    limit: "MAX_TOTAL_BYTES",
    max: 1_048_576,
    actual: 1_048_579,
  });
});

test("undo and redo take back an apply in all its files, and never overwrite", async () => {
  const tool = await desk.create();
  const ops = [width(900), entry("main")];
  const applied = await desk.apply(tool, ops);
  assert.equal(applied.value.applied, true, applied.raw);
  const step = (word: string, base = "") =>
    desk.ask("POST", `/tools/${tool.tool_id}/${word}`, { base_revision_id: base });
  assert.deepEqual(code(await step("undo", tool.revision_id)), [409, "CONFLICT"]);
  const undone = await step("undo", applied.value.revision_id);
  assert.deepEqual(undone.value.virtual_files, sample);
  assert.deepEqual([undone.value.can_undo, undone.value.can_redo], [false, true]);
  const redone = await step("redo", undone.value.revision_id);
  assert.equal(redone.value.virtual_files["entrypoint.txt"], "main\n");
  assert.match(redone.value.virtual_files["tool.py"], /"minimum_width_mm", 900/);

  const save = {
    base_revision_id: redone.value.revision_id,
    virtual_files: { "entrypoint.txt": "mine\n" },
  };
  const saved = await desk.ask("PUT", `/tools/${tool.tool_id}`, save);
  const blocked = await step("undo", saved.value.revision_id);
  assert.deepEqual(code(blocked), [409, "UNDO_BLOCKED"]);
  assert.deepEqual(blocked.value.error.details.paths, ["entrypoint.txt"]);
  assert.equal((await desk.tool(tool)).virtual_files["entrypoint.txt"], "mine\n");
  const causes = (await desk.ask("GET", `/tools/${tool.tool_id}/revisions`)).value.items.map(
    (r) => r.cause,
  );
  assert.deepEqual(causes, ["hand", "redo", "undo", "apply", "hand"]);
});

test("checkpoints: one before every apply, others by name; restore goes to either kind", async () => {
  const tool = await desk.create();
  const named = await desk.ask("POST", `/tools/${tool.tool_id}/checkpoints`, {
    title: "as it came",
  });
  assert.deepEqual(
    [named.status, named.value.auto, named.value.revision_id],
    [201, false, tool.revision_id],
  );
  const applied = await desk.apply(tool, [width(700)]);
  const list = (await desk.ask("GET", `/tools/${tool.tool_id}/checkpoints`)).value.items;
  assert.deepEqual(
    list.map((c) => [c.auto, c.revision_id]),
    [
      [true, tool.revision_id],
      [false, tool.revision_id],
    ],
  );
  const restore = (body: unknown) => desk.ask("POST", `/tools/${tool.tool_id}/restore`, body);
  const back = await restore({
    base_revision_id: applied.value.revision_id,
    checkpoint_id: named.value.checkpoint_id,
  });
  assert.deepEqual(back.value.virtual_files, sample);
  const forth = await restore({
    base_revision_id: back.value.revision_id,
    revision_id: applied.value.revision_id,
  });
  assert.match(forth.value.virtual_files["tool.py"], /"minimum_width_mm", 700/);
  assert.deepEqual(
    code(await restore({ base_revision_id: back.value.revision_id, revision_id: "rev_1" })),
    [409, "CONFLICT"],
  );
  assert.deepEqual(
    code(await restore({ base_revision_id: forth.value.revision_id, revision_id: "rev_77" })),
    [404, "NOT_FOUND"],
  );
  assert.deepEqual(code(await restore({ base_revision_id: forth.value.revision_id })), [
    422,
    "INVALID_INPUT",
  ]);
});
