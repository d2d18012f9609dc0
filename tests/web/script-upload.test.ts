// A script as a file: what is packed is read again, and what is no script says why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { packed, unpacked } from "../../www/core/src/editor/archive.ts";

const file = (parts: Record<string, Uint8Array>, name = "door report.zip") =>
  new File([zipSync(parts) as Uint8Array<ArrayBuffer>], name);
const code = (given: File) =>
  unpacked(given).then(
    () => "taken",
    (error: { code: string }) => error.code,
  );
const script = { "tool.py": strToU8("def run():\n    pass\n") };

test("what is packed is taken again, whatever else lies beside it", async () => {
  const taken = await unpacked(
    file({ ...script, "a/entrypoint.txt": strToU8("run"), "notes.md": strToU8("x") }),
  );
  assert.equal(taken.files["tool.py"], "def run():\n    pass\n");
  assert.equal(taken.files["entrypoint.txt"], "run");
  assert.deepEqual(taken.left, ["notes.md"]);
  const again = await unpacked(new File([packed(taken.files)], "again.zip"));
  assert.deepEqual(again, { files: taken.files, left: [] });
  const alone = await unpacked(new File(["x = 1\n"], "x.py"));
  assert.equal(alone.files["tool.py"], "x = 1\n");
});

test("what is no script says why", async () => {
  assert.equal(await code(new File(["no archive"], "x.zip")), "SCRIPT_UPLOAD_UNREAD");
  assert.equal(await code(file({ "notes.md": strToU8("x") })), "SCRIPT_UPLOAD_NO_SCRIPT");
  assert.equal(await code(file({ ...script, "a/tool.py": strToU8("x") })), "SCRIPT_UPLOAD_TWICE");
  assert.equal(await code(file({ "tool.py": Uint8Array.of(0xff) })), "SCRIPT_UPLOAD_NO_TEXT");
  assert.equal(await code(new File([new Uint8Array(3 << 20)], "x.zip")), "SCRIPT_UPLOAD_TOO_LARGE");
  assert.equal(await code(file({ "tool.py": new Uint8Array(2 << 20) })), "SCRIPT_UPLOAD_TOO_LARGE");
});
