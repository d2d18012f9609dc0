// Which version a page is stands in its account menu, on both pages.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { walks } from "./walk.ts";

const { opened, closed } = walks();

const manifest = await readFile(new URL("../../Cargo.toml", import.meta.url), "utf8");
const [, version = ""] = /^version = "(.+)"$/m.exec(manifest) ?? [];

for (const [name, query] of [
  ["model", "?page=model"],
  ["script", ""],
]) {
  test(`the account menu of the ${name} page ends with the version of the workspace`, async () => {
    const page = await opened(query);
    await page.getByRole("button", { name: "Account" }).click();
    const last = await page.locator("hp-menu .m-h").last().innerText();
    const [product, told] = last.split("\n").map((line) => line.trim());
    assert.equal(product, "Holdpoint");
    // Behind it the revision, where the build could ask git.
    assert.match(
      told,
      new RegExp(`^Version ${version.replaceAll(".", "\\.")}( \\([0-9a-f]+\\))?$`),
    );
    await closed(page);
  });
}
