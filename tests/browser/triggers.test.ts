// What installed extensions hear and answer: events, activation and its end, keys, context menus, storage; and that
// nothing of it goes round in circles or holds up the page.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Files, Review } from "@holdpoint/core/types";
import type { Page } from "playwright-core";
import { opened, rows, thrown } from "./road.ts";
import { browser, edge, stack, withStack } from "./stack.ts";

withStack();

/** Installs a bundle with everything that it declares, as a hand would. */
async function install(files: Files) {
  const path = "/api/v1/extensions";
  const granted = JSON.parse(files["manifest.json"]).capabilities;
  const asked = { files, base_hash: null, granted };
  const seen = await edge<Review>("POST", `${path}/review`, asked);
  const { base_hash, patch_id, result_hash, confirm_token } = seen;
  await edge("POST", path, {
    files,
    base_hash,
    patch_id,
    result_hash,
    granted,
    origin: "hand",
    ...(confirm_token ? { confirm_token } : {}),
  });
}

const manifest = (id: string, name: string, more: object) =>
  JSON.stringify({
    manifestVersion: 1,
    id,
    name,
    description: "For the tests.",
    version: "0.1.0",
    engines: { ifcLiteSdk: "^1.0.0" },
    ...more,
  });

const WATCHER = {
  "manifest.json": manifest("watch.all", "Watcher", {
    capabilities: ["model.read", "storage.local", "viewer.read", "viewer.select"],
    activation: ["onStartup", "onModelLoad", "onSelectionChange", "onSchema:IFC4"],
    entry: {
      activate: "src/life.js",
      deactivate: "src/life.js",
      commands: {
        "watch.state": "src/state.js",
        "watch.given": "src/given.js",
        "watch.doors": "src/doors.js",
        "watch.table": "src/table.js",
      },
      triggers: {
        onModelLoad: "src/load.js",
        onSelectionChange: "src/follow.js",
        "onSchema:IFC4": "src/schema.js",
      },
    },
    contributes: {
      commands: [
        { id: "watch.state", title: "State" },
        { id: "watch.given", title: "What is given" },
        { id: "watch.doors", title: "Doors" },
        { id: "watch.table", title: "Storeys" },
      ],
      dock: [
        {
          id: "watch.dock",
          title: "Watcher",
          widget: "widgets/state.json",
          slot: "dock.right",
          data: "watch.state",
        },
      ],
      contextMenu: [
        { command: "watch.given", slot: "contextMenu.entity", when: "selection.count > 0" },
        { command: "watch.given", slot: "contextMenu.tree" },
      ],
      keybindings: [{ command: "watch.doors", key: "Mod+Shift+K", when: "model.loaded" }],
      statusBar: [
        {
          id: "watch.text",
          text: "Watching",
          slot: "statusBar.left",
          when: "selection.type == 'IfcDoor'",
        },
      ],
    },
    tests: ["state", "given", "doors", "table"].map((name) => ({
      name,
      command: `watch.${name}`,
      fixture: "house-small",
      expect: { logs: 0 },
    })),
  }),
  "widgets/state.json": JSON.stringify({ type: "Text", text: "$.text" }),
  "src/count.js": `export async function counted(ctx, what) {
  await ctx.storage.set(what, ((await ctx.storage.get(what)) ?? 0) + 1);
  ctx.ui.update("watch.dock", await state(ctx));
}
export async function state(ctx) {
  const of = async (what) => (await ctx.storage.get(what)) ?? 0;
  const said = async (what) => what + " " + (await of(what));
  return {
    text:
      (await said("started")) + ", " + (await said("loaded")) + ", " +
      (await said("schema")) + ", " + (await said("followed")),
  };
}
`,
  "src/life.js": `import { counted } from "./count.js";
export async function activate(ctx) {
  ctx.onDispose(() => ctx.notify("Watcher has cleaned up"));
  await counted(ctx, "started");
}
export function deactivate(ctx) { ctx.notify("Watcher stops"); }
`,
  "src/load.js": `import { counted } from "./count.js";
export default async (ctx, args) => {
  if (args.event === "onModelLoad" && args.modelId) await counted(ctx, "loaded");
};
`,
  "src/schema.js": `import { counted } from "./count.js";\nexport default (ctx) => counted(ctx, "schema");\n`,
  "src/follow.js": `import { counted } from "./count.js";
export default async (ctx, args) => {
  if (args.selection.length > 0) ctx.bim.viewer.select(ctx.bim.query.byType(args.selection[0].type));
  await counted(ctx, "followed");
};
`,
  "src/state.js": `import { state } from "./count.js";\nexport default (ctx) => state(ctx);\n`,
  "src/given.js": `export default (ctx, args) => {
  ctx.notify((args && args.entities ? args.entities.length : "none") + " were given");
  return null;
};
`,
  "src/doors.js": `export default (ctx) => {
  ctx.notify(ctx.bim.query.count("IfcDoor") + " doors by key");
  return null;
};
`,
  "src/table.js": `export default (ctx) => ctx.bim.query.storeys().map((storey) => ({
  storey: storey.name,
  elements: ctx.bim.query.contains(storey).length,
}));
`,
};

const toast = (page: Page, text: string) => page.locator("hp-toast").getByText(text).waitFor();

/** The list of extensions, open. */
async function list(page: Page) {
  await page.getByTestId("hp-extensions").click();
  return page.locator("hp-extensions");
}

test("events, keys, menus, storage, and the end of an activation", {
  timeout: 180_000,
}, async () => {
  await install(WATCHER);
  const page = await opened(browser, stack.url);
  await (await list(page)).getByRole("button", { name: "Watcher", exact: true }).click();
  await page.keyboard.press("Escape");
  const panel = page.locator("hp-widget-panel");
  await panel.getByText("started 1, loaded 1, schema 1, followed 0").waitFor();

  // One door is chosen; the trigger chooses all of them, and is not called for what it did itself.
  const doors = page.locator("hp-elements [data-row]").filter({ hasText: "IfcDoor" });
  await doors.first().click();
  await page.locator("hp-elements").getByText("7 selected").waitFor();
  await panel.getByText("followed 1").waitFor();
  await page.getByText("Watching").waitFor();
  await page.waitForTimeout(1_500);
  await panel.getByText("followed 1").waitFor();

  // A command from a menu is given what is selected; the tree selects what its menu is asked for.
  const command = page.locator("hp-menu").getByRole("menuitem", { name: "What is given" });
  await doors.first().click({ button: "right" });
  await command.click();
  await toast(page, "7 were given");
  await page.locator("hp-tree [role=treeitem]").first().click({ button: "right" });
  await command.waitFor();
  await page.keyboard.press("Escape");
  await command.waitFor({ state: "detached" });

  await page.keyboard.press("Control+Shift+K");
  await toast(page, "7 doors by key");

  const extensions = await list(page);
  assert.equal(
    await extensions.getByText("Ctrl+Shift+K").count(),
    1,
    "the key stands beside its command",
  );
  await extensions.getByRole("button", { name: "Run Storeys" }).click();
  await extensions.locator(".answer tbody tr").first().waitFor();
  assert.equal(
    await extensions.locator(".answer tbody tr").count(),
    3,
    "the result of a command from the list is shown there",
  );
  await page.keyboard.press("Escape");

  // Storage outlives the page; an activation does not.
  await page.reload();
  await rows(page);
  await panel.getByText("started 2, loaded 2, schema 2").waitFor();

  await (await list(page)).getByRole("button", { name: "Switch off" }).click();
  await toast(page, "Watcher has cleaned up");
  await page.locator("hp-extensions").getByRole("button", { name: "Switch on" }).click();
  await page.keyboard.press("Escape");
  await panel.getByText("started 3, loaded 3, schema 3").waitFor();
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("two extensions that select against each other come to rest", {
  timeout: 120_000,
}, async () => {
  const against = (id: string, type: string) => ({
    "manifest.json": manifest(id, `Only ${type}`, {
      capabilities: ["model.read", "storage.local", "viewer.read", "viewer.select"],
      activation: ["onSelectionChange"],
      entry: {
        commands: { [`${id}.turns`]: "src/turns.js" },
        triggers: { onSelectionChange: "src/select.js" },
      },
      contributes: { commands: [{ id: `${id}.turns`, title: `Turns of ${type}` }] },
      tests: [
        {
          name: "turns",
          command: `${id}.turns`,
          fixture: "empty-model",
          expect: { equals: "0 turns" },
        },
      ],
    }),
    "src/select.js": `export default async (ctx) => {
  await ctx.storage.set("turns", ((await ctx.storage.get("turns")) ?? 0) + 1);
  ctx.bim.viewer.select(ctx.bim.query.byType("${type}"));
};
`,
    "src/turns.js": `export default async (ctx) => ((await ctx.storage.get("turns")) ?? 0) + " turns";\n`,
  });
  await install(against("only.doors", "IfcDoor"));
  await install(against("only.walls", "IfcWall"));
  const page = await opened(browser, stack.url);
  // The project's list is read beside the model: who is not there yet hears of no selection.
  const there = await list(page);
  for (const type of ["IfcDoor", "IfcWall"])
    await there.getByRole("button", { name: `Run Turns of ${type}` }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("hp-elements [data-row]").first().click();
  await page
    .locator("hp-elements")
    .getByText(/(7|13) selected/)
    .waitFor();
  await page.waitForTimeout(2_000);
  const extensions = await list(page);
  for (const type of ["IfcDoor", "IfcWall"]) {
    await extensions.getByRole("button", { name: `Run Turns of ${type}` }).click();
    const said = extensions.getByRole("region", { name: `Only ${type}` }).locator(".answer pre");
    await said.waitFor();
    assert.match(await said.innerText(), /^[12] turns$/, type);
  }
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});

test("a trigger that never ends is switched off with its reason, and the others go on", {
  timeout: 120_000,
}, async () => {
  await install({
    "manifest.json": manifest("spin.load", "Spinner on load", {
      capabilities: [],
      activation: ["onModelLoad"],
      entry: { triggers: { onModelLoad: "src/spin.js" } },
      contributes: {},
    }),
    "src/spin.js":
      "export default function spin() {\n  let turns = 0;\n  for (;;) turns += 1;\n}\n",
  });
  const page = await opened(browser, stack.url);
  const extensions = await list(page);
  await extensions
    .getByRole("region", { name: "Spinner on load" })
    .getByText(/Off: .*(longer|end)/)
    .waitFor({ timeout: 120_000 });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+K");
  await toast(page, "7 doors by key");
  assert.deepEqual(thrown.get(page), []);
  await page.context().close();
});
