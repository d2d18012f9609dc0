// What the page does with lenses, exporters and checks, and with what a command changes in the model
// (ifc-sdk.md §1, §3).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Files, Review } from "@holdpoint/core/types";
import { opened, rows, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

withStack();

/** Installs a bundle with everything that it declares, as a hand would. */
async function install(files: Files) {
  const path = "/api/v1/extensions";
  const granted = JSON.parse(files["manifest.json"] ?? "{}").capabilities;
  const asked = { files, base_hash: null, granted };
  const seen = await edge<Review>("POST", `${path}/review`, asked);
  const { base_hash, patch_id, result_hash, confirm_token } = seen;
  await edge("POST", path, {
    ...{ files, base_hash, patch_id, result_hash, granted },
    origin: "hand",
    ...(confirm_token ? { confirm_token } : {}),
  });
}

const test_ = (name: string, more: object) => ({ name, fixture: "empty-model", ...more });

const HOSTED: Files = {
  "manifest.json": JSON.stringify({
    manifestVersion: 1,
    id: "doors.all",
    name: "All about doors",
    description: "For the tests.",
    version: "0.1.0",
    engines: { ifcLiteSdk: "^1.0.0" },
    capabilities: [
      "export.create:csv",
      "model.mutate:Pset_Doors.Seen",
      "model.mutate:Attribute.Name",
      "model.read",
      "viewer.colorize",
    ],
    activation: ["onStartup"],
    entry: {
      commands: {
        "doors.rename": "src/rename.js",
        "doors.named": "src/named.js",
        "doors.spin": "src/spin.js",
      },
    },
    contributes: {
      commands: [
        { id: "doors.rename", title: "Rename" },
        { id: "doors.named", title: "Names" },
        { id: "doors.spin", title: "Spin" },
      ],
      lenses: [{ id: "doors.lens", name: "kind", evaluator: "src/lens.js" }],
      exporters: [
        {
          id: "doors.csv",
          name: "Door list",
          mimeType: "text/csv",
          extension: ".csv",
          handler: "src/csv.js",
        },
      ],
      idsValidators: [{ id: "doors.ids", name: "door names", handler: "src/ids.js" }],
    },
    tests: [
      test_("lens", { lens: "doors.lens", expect: { equals: [] } }),
      test_("csv", { exporter: "doors.csv", expect: { equals: { content: "0" } } }),
      test_("ids", { idsValidator: "doors.ids", expect: { equals: [] } }),
      test_("rename", { command: "doors.rename", expect: { noEffect: true } }),
      test_("named", { command: "doors.named", expect: { equals: 0 } }),
      test_("spin", { command: "doors.spin", args: { not: true }, expect: { equals: null } }),
    ],
  }),
  "src/lens.js": `export default (ctx, { entities }) => entities
  .filter((e) => e.type === "IfcDoor" || e.type === "IfcWindow")
  .map((e) => e.type === "IfcDoor"
    ? { ref: e.ref, color: "#AA0000", label: "A door" }
    : { ref: e.ref, color: "blue", label: "A window" });
`,
  "src/csv.js": `export default (ctx, { entities }) => {
  const doors = entities.filter((e) => e.type === "IfcDoor");
  return { content: String(doors.length) };
};
`,
  "src/ids.js": `export default (ctx, { entities }) => entities.filter((e) => e.type === "IfcDoor")
  .map((e, i) => ({ ref: e.ref, ok: i !== 1, message: i === 1 ? "Wrong name" : undefined }));
`,
  "src/rename.js": `export default (ctx) => {
  const [door] = ctx.bim.query.byType("IfcDoor");
  if (!door) return null;
  ctx.bim.mutate.setAttribute(door, "Name", "The first of all doors");
  ctx.bim.mutate.setProperty(door, "Pset_Doors", "Seen", true);
  return null;
};
`,
  "src/named.js": `export default (ctx) => ctx.bim.query.byType("IfcDoor")
  .filter((d) => ctx.bim.query.property(d, "Pset_Doors", "Seen") === true).length;
`,
  "src/spin.js": `export default (ctx, args) => { if (args) return null; for (;;) {} };\n`,
};

test("a lens colours with a legend, an exporter saves, a check lists what selects, changes are seen", {
  timeout: 240_000,
}, async () => {
  await install(HOSTED);
  const page = await opened(browser, stack.url);
  await page.getByTestId("hp-extensions").click();
  const list = page.locator("hp-extensions");
  const press = (name: string) => list.getByRole("button", { name, exact: true }).click();

  await press("Colour by kind");
  const legend = page.locator("hp-elements .legend");
  await legend.getByText("A door").waitFor();
  assert.match((await legend.innerText()).replaceAll(/\s+/g, " "), /kind.*A door 7.*A window 10/);

  const saving = page.waitForEvent("download");
  await press("Save Door list");
  const file = await saving;
  assert.equal(file.suggestedFilename(), "Door list.csv");
  assert.equal(readFileSync(await file.path(), "utf8"), "7");

  await press("Check door names");
  const verdicts = list.locator("hp-verdicts");
  await verdicts.getByText("1 of 7 is not right").waitFor();
  const first = verdicts.getByRole("button").first();
  assert.match(await first.innerText(), /Not right[\s\S]*Wrong name/);
  await first.click();
  await page.locator("hp-elements").getByText("1 selected").waitFor();

  // A change stands in the table, in the next call, and in a fresh thread after one that was killed.
  await press("Run Rename");
  await page.locator("hp-elements").getByText("The first of all doors").first().waitFor();
  await press("Run Names");
  await list.locator(".answer pre").getByText("1", { exact: true }).waitFor();
  await press("Run Spin");
  await list.getByText(/Off: /).waitFor({ timeout: 120_000 });
  await list.getByRole("button", { name: "Switch on" }).click();
  await press("Run Names");
  await list.locator(".answer pre").getByText("1", { exact: true }).waitFor();
  await rows(page);
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
