// Preview, partial accept, apply, and the gate between them (script-tool.md §6, DESIGN §3).
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApplyAnswer, Tool, ToolRevision } from "@holdpoint/core/editor";
import { during } from "../during.ts";
import {
  code,
  type DeskAsking,
  entry,
  nearly,
  nowhere,
  sample,
  startDesk,
  uuid,
  width,
} from "./desk.ts";

/** What an apply answers beside its fresh preview. */
type Applied = ApplyAnswer & Pick<Tool, "can_undo">;

/** What of a proposal is kept with its revision. */
interface Signed {
  patch_id: string;
  result_hash: string;
  verdict: string;
  correlation_id: string;
  confirmed_by: string;
  reasons: string[];
}
type Kept = Omit<ToolRevision, "proposal"> & { proposal: Signed };

const desk = await during(startDesk({ play: (call) => call.cut() }));

const apply = (body: unknown, options: DeskAsking = {}) =>
  desk.ask<Applied>("POST", "/edit-ops/apply", body, options);

test("a preview shows the result, stores nothing, and never blocks on findings", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900), entry("no_such_function")])).value;
  assert.deepEqual(
    [seen.ok, seen.verdict, seen.changed_files],
    [true, "clean", ["entrypoint.txt", "tool.py"]],
  );
  assert.match(seen.after_virtual_files["tool.py"], /"minimum_width_mm", 900/);
  const found = (seen.diagnostics ?? []).filter((finding) => finding.new);
  assert.deepEqual(
    found.map((finding) => finding.code),
    ["TOOL_ENTRYPOINT_NOT_FOUND"],
  );
  assert.deepEqual(await desk.tool(tool), tool);

  const broken = { ...tool, virtual_files: { ...sample, "entrypoint.txt": "no_such_function\n" } };
  const old = (await desk.preview(broken, [width(900)])).value.diagnostics;
  assert.deepEqual(
    old?.map((finding) => [finding.code, finding.new]),
    [["TOOL_ENTRYPOINT_NOT_FOUND", undefined]],
  );
});

test("ops that cannot be placed are an answer, not an error", async () => {
  const tool = await desk.create();
  const got = await desk.preview(tool, [nowhere]);
  assert.deepEqual([got.status, got.value.ok, got.value.verdict], [200, false, "reject"]);
  assert.ok(got.value.error_details[0].hint);
  const unknown = await desk.preview(tool, [
    { op: "patch", target_file: "main.py", patch_lines: ["@@", "-a", "+b"] },
  ]);
  assert.equal(unknown.value.error_details[0].code, "unknown_file");
  const { meta } = got.value;
  const shown = { ...got.value, meta: { ...meta, patch_id: "x", result_hash: "x" } };
  const body = desk.signed(tool, [nowhere], shown);
  const rejected = await apply(body);
  assert.deepEqual(
    [rejected.status, rejected.value.ok, rejected.value.applied],
    [200, false, false],
    rejected.raw,
  );
  assert.equal((await desk.tool(tool)).revision_id, tool.revision_id);
});

test("wrong shapes are 422 with their pointer, too much is 413", async () => {
  const tool = await desk.create();
  const good = {
    tool_id: tool.tool_id,
    active_file: "tool.py",
    virtual_files: sample,
    ops: [width(900)],
  };
  const cases = [
    [{ ...good, ops: [] }, "/ops"],
    [{ ...good, ops: [{ op: "patch", target_file: "tool.py" }] }, "/ops/0/patch"],
    [{ ...good, virtual_files: null }, "/virtual_files"],
    [{ ...good, virtual_files: { ...sample, "x.py": "" } }, "/virtual_files/x.py"],
    [{ ...good, selection: { from: 4, to: 2 } }, "/selection/to"],
    [{ ...good, options: { mode: "anchors" } }, "/options/mode"],
    [{ ...good, tool_id: undefined }, "/tool_id"],
  ];
  for (const [body, pointer] of cases) {
    const got = await desk.ask("POST", "/edit-ops/preview", body);
    assert.deepEqual(
      [...code(got), got.value.error.details?.pointer],
      [422, "INVALID_INPUT", pointer],
      got.raw,
    );
  }
  for (const name of ["base_revision_id", "base_hash", "patch_id", "result_hash"]) {
    const seen = (await desk.preview(tool, good.ops)).value;
    const got = await apply(desk.signed(tool, good.ops, seen, { [name]: undefined }));
    assert.deepEqual(
      [...code(got), got.value.error.details.pointer],
      [422, "INVALID_INPUT", `/${name}`],
    );
  }
  const large = {
    ...good,
    virtual_files: { ...sample, "usage_instructions.md": "x".repeat(262_145) },
  };
  assert.deepEqual(code(await desk.ask("POST", "/edit-ops/preview", large)), [
    413,
    "INPUT_TOO_LARGE",
  ]);
  const unknown = { ...good, accept: { "tool.py": ["9,9+9,9"] } };
  assert.deepEqual(code(await desk.ask("POST", "/edit-ops/preview", unknown)), [
    422,
    "UNKNOWN_HUNK",
  ]);
});

test("an apply is one revision with what was signed, under one correlation id", async () => {
  const tool = await desk.create();
  const id = uuid();
  const seen = await desk.preview(tool, [width(900), entry("main")], {}, { id });
  assert.equal(seen.headers.get("x-correlation-id"), id);
  const got = await apply(desk.signed(tool, [width(900), entry("main")], seen.value), { id });
  assert.deepEqual([got.status, got.value.applied, got.value.can_undo], [200, true, true], got.raw);
  const now = await desk.tool(tool);
  assert.equal(now.revision_id, got.value.revision_id);
  assert.deepEqual(now.virtual_files, seen.value.after_virtual_files);
  const own = `/tools/${tool.tool_id}/revisions/${now.revision_id}`;
  const kept = (await desk.ask<Kept>("GET", own)).value;
  assert.deepEqual([kept.cause, kept.changed_files], ["apply", ["entrypoint.txt", "tool.py"]]);
  assert.deepEqual(
    [
      kept.proposal.patch_id,
      kept.proposal.result_hash,
      kept.proposal.verdict,
      kept.proposal.correlation_id,
    ],
    [seen.value.meta.patch_id, seen.value.meta.result_hash, "clean", id],
  );
});

test("every token altered in turn: 409 with a fresh preview, nothing changed", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900)])).value;
  const cases: [object, string][] = [
    [{ base_hash: "sha256:0" }, "base_changed"],
    [{ patch_id: "sha256:0" }, "patch_changed"],
    [{ result_hash: "sha256:0" }, "result_changed"],
    [{ base_revision_id: "rev_99" }, "base_changed"],
    [{ virtual_files: { ...sample, "tool.py": `${sample["tool.py"]}\nx = 1\n` } }, "base_changed"],
  ];
  for (const [more, reason] of cases) {
    const got = await apply(desk.signed(tool, [width(900)], seen, more));
    assert.deepEqual(
      [...code(got), got.value.error.details?.reason],
      [409, "CONFLICT", reason],
      got.raw,
    );
    assert.equal(got.value.error.details.preview.meta.patch_id, seen.meta.patch_id);
    assert.ok(got.value.error.details.preview.diagnostics);
  }
  assert.deepEqual(await desk.tool(tool), tool);
});

test("a change elsewhere neither blocks nor is overwritten", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [width(900)])).value;
  const save = {
    base_revision_id: tool.revision_id,
    virtual_files: { "usage_instructions.md": "New.\n" },
  };
  await desk.ask("PUT", `/tools/${tool.tool_id}`, save);
  const got = await apply(desk.signed(tool, [width(900)], seen));
  assert.equal(got.value.applied, true, got.raw);
  const now = await desk.tool(tool);
  assert.equal(now.virtual_files["usage_instructions.md"], "New.\n");
  assert.match(now.virtual_files["tool.py"], /"minimum_width_mm", 900/);
});

test("what had to be tolerated needs the token of its preview", async () => {
  const tool = await desk.create();
  const seen = (await desk.preview(tool, [nearly])).value;
  assert.deepEqual(
    [seen.verdict, seen.meta.requires_confirmation],
    ["confirm", true],
    JSON.stringify(seen.error_details),
  );
  for (const confirm_token of [undefined, "sha256:0"]) {
    const got = await apply(desk.signed(tool, [nearly], seen, { confirm_token }));
    assert.deepEqual(code(got), [409, "CONFIRMATION_REQUIRED"]);
    assert.equal(got.value.error.details.preview.meta.confirm_token, seen.meta.confirm_token);
  }
  const got = await apply(desk.signed(tool, [nearly], seen));
  assert.equal(got.value.applied, true, got.raw);
  const own = `/tools/${tool.tool_id}/revisions/${got.value.revision_id}`;
  const kept = (await desk.ask<Kept>("GET", own)).value.proposal;
  assert.deepEqual([kept.confirmed_by, kept.reasons], ["user:dev", seen.meta.reasons]);
});

test("a partial accept is previewed anew and applied by its own tokens", async () => {
  const tool = await desk.create();
  const ops = [width(900), entry("main")];
  const accept = { "tool.py": [], "entrypoint.txt": ["1,1+1,1"] };
  const seen = (await desk.preview(tool, ops, { accept })).value;
  assert.deepEqual(
    [seen.ok, seen.changed_files],
    [true, ["entrypoint.txt"]],
    JSON.stringify(seen.error_details),
  );
  const whole = (await desk.preview(tool, ops)).value;
  assert.equal(
    (await apply(desk.signed(tool, ops, whole, { accept }))).status,
    409,
    "the whole was signed, a part was sent",
  );
  const got = await apply(desk.signed(tool, ops, seen, { accept }));
  assert.equal(got.value.applied, true, got.raw);
  const now = (await desk.tool(tool)).virtual_files;
  assert.deepEqual([now["entrypoint.txt"], now["tool.py"]], ["main\n", sample["tool.py"]]);
});

test("of two applies on one base exactly one wins, the other gets its fresh preview", async () => {
  for (let race = 0; race < 10; race += 1) {
    const tool = await desk.create();
    const bodies = await Promise.all(
      [width(900), width(700)].map(async (op) =>
        desk.signed(tool, [op], (await desk.preview(tool, [op])).value),
      ),
    );
    const got = await Promise.all(bodies.map((body) => apply(body)));
    assert.deepEqual(got.map((answer) => answer.status).sort(), [200, 409]);
    const [won, other] = got.sort((a, b) => a.status - b.status);
    const lost = other.value.error;
    assert.deepEqual([lost.code, lost.details.reason], ["CONFLICT", "base_changed"]);
    assert.equal(lost.details.preview.ok, false, "on the new base it cannot be placed");
    assert.equal((await desk.tool(tool)).revision_id, won.value.revision_id);
  }
});
