// The model in 3D, on a file that is really read: one selection with tree and table, keys, what is not drawn.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { View3dElement } from "@holdpoint/elements";
import type { Elements } from "@holdpoint/elements/model/elements";
import type { Page } from "playwright-core";
import { sideways, violations } from "./axe.ts";
import { focusOn } from "./page.ts";
import { walks } from "./walk.ts";

/** The id of `house-small`. */
const HOUSE = "32c5b5b24ad244a2";
const { opened: walked, closed } = walks();

const fixture = (name: string): string =>
  readFileSync(new URL(`../../fixtures/ifc/${name}`, import.meta.url), "utf8");

const opened = (settings: Parameters<typeof walked>[1] = {}) =>
  walked("?page=view", { timeout: 10_000, ...settings });

const drawing = (page: Page) => page.locator("hp-view3d");
const canvas = (page: Page) => drawing(page).locator("canvas");
const picked = (page: Page) => drawing(page).locator(".foot [role=status]").last();
const status = (page: Page) => page.locator("hp-elements .statusline");
const tool = (page: Page, name: string) => drawing(page).getByRole("button", { name, exact: true });

/** Switches to a layout, and waits until everything is drawn. */
async function shown(page: Page, layout: "model" | "both"): Promise<void> {
  await page.locator("hp-elements").waitFor();
  await page.locator(`[data-layout="${layout}"]`).click();
  await page.locator('hp-view3d[data-state="done"]').waitFor();
}

const frames = (page: Page): Promise<number> =>
  drawing(page).evaluate((one) => (one as View3dElement).frames);

/** Waits until no more pictures come. */
async function still(page: Page): Promise<number> {
  let before = -1;
  for (let now = await frames(page); now !== before; now = await frames(page)) {
    before = now;
    await page.waitForTimeout(150);
  }
  return before;
}

/** A row of the table, by its name. */
const row = (page: Page, name: string) =>
  page.locator("hp-elements [data-row]").filter({ hasText: name }).first();

/** Selects an element by the table: it is searched for, and the search is taken away. */
async function select(page: Page, name: string): Promise<void> {
  const search = page.locator("hp-find input");
  await search.fill(name);
  await row(page, name).click();
  await search.fill("");
}

/** Brings an element into the middle of the drawing by the table and keys, and takes the selection away. */
async function inTheMiddle(page: Page, name: string): Promise<void> {
  await select(page, name);
  await canvas(page).focus();
  await page.keyboard.press("f");
  await page.keyboard.press("Escape");
  await picked(page).filter({ hasText: name }).waitFor({ state: "hidden" });
}

/** Red, green and blue in the middle of the drawing, read off its picture. */
async function middle(page: Page): Promise<number[]> {
  await still(page);
  const box = await canvas(page).boundingBox();
  assert.ok(box);
  const clip = {
    x: box.x + box.width / 2 + 12,
    y: box.y + box.height / 2 + 12,
    width: 1,
    height: 1,
  };
  const png = await page.screenshot({ clip });
  return page.evaluate(async (bytes) => {
    const blob = await (await fetch(`data:image/png;base64,${bytes}`)).blob();
    const bitmap = await createImageBitmap(blob);
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context?.drawImage(bitmap, 0, 0);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3);
  }, png.toString("base64"));
}

async function clickMiddle(
  page: Page,
  how: { modifiers?: "Shift"[]; button?: "right" } = {},
): Promise<void> {
  const box = await canvas(page).boundingBox();
  assert.ok(box);
  const position = { x: box.width / 2 + 12, y: box.height / 2 + 12 };
  await canvas(page).click({ position, ...how });
}

test("nothing of 3D is loaded before a person opens it", async () => {
  const page = await opened();
  await page.locator("hp-elements").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const before = await page.evaluate(() =>
    performance.getEntriesByType("resource").map((one) => one.name),
  );
  assert.deepEqual(
    before.filter((name) => /scene|geometry/.test(name)),
    [],
  );
  await shown(page, "model");
  assert.ok(
    asked.some((path) => /scene-.*\.js$/.test(path)),
    "what draws",
  );
  assert.ok(
    asked.some((path) => /geometry_bg.*\.wasm$/.test(path)),
    "what meshes",
  );
  await closed(page);
});

test("drawing, table and tree are one selection", async () => {
  const page = await opened();
  await shown(page, "both");
  await inTheMiddle(page, "Wall F3");
  await clickMiddle(page);
  await picked(page).filter({ hasText: "Wall F3" }).waitFor();
  assert.equal(await row(page, "Wall F3").getAttribute("aria-selected"), "true");
  await page.locator("hp-properties").getByText("Wall F3").first().waitFor();

  // From the tree: a whole storey's doors.
  const tree = page.locator("hp-tree");
  const doorsBelow = async () => {
    await tree.locator('[role=treeitem][tabindex="0"]').focus();
    await page.keyboard.press("Home");
    await tree.locator('[aria-level="1"]:focus').waitFor();
    await tree.getByRole("treeitem", { name: "Doors" }).first().click();
  };
  await tree.getByRole("treeitem", { name: "Ground floor" }).locator(".tw").click();
  await doorsBelow();
  await picked(page).filter({ hasText: "selected" }).waitFor();
  const doors = await picked(page).innerText();
  assert.match(doors, /^[2-9] selected$/);
  assert.ok((await status(page).innerText()).includes(doors));

  // Shift adds what is clicked to it; the ground takes the selection away.
  await select(page, "Wall F3");
  await canvas(page).focus();
  await page.keyboard.press("f");
  await doorsBelow();
  await picked(page).filter({ hasText: doors }).waitFor();
  await clickMiddle(page, { modifiers: ["Shift"] });
  const more = `${Number.parseInt(doors, 10) + 1} selected`;
  await picked(page).filter({ hasText: more }).waitFor();
  for (let i = 0; i < 10; i += 1) await page.keyboard.press("-");
  const box = await canvas(page).boundingBox();
  await canvas(page).click({ position: { x: (box?.width ?? 0) - 8, y: (box?.height ?? 0) - 8 } });
  await status(page).getByText("selected").waitFor({ state: "detached" });
  await closed(page);
});

test("what the mouse does to an element, the keys do", async () => {
  const page = await opened();
  await shown(page, "model");
  await page.locator('[data-layout="both"]').click();
  await inTheMiddle(page, "Wall F3");
  await page.keyboard.press("Enter");
  await picked(page).filter({ hasText: "Wall F3" }).waitFor();
  await page.keyboard.press("h");
  await page.locator("hp-elements .away").getByText("1 hidden").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  assert.equal(await picked(page).filter({ hasText: "Wall F3" }).count(), 0, "hidden is not hit");
  await page.locator("hp-elements .away").getByRole("button", { name: "Show all" }).click();
  await page.locator("hp-elements .away").waitFor({ state: "detached" });

  // In the table, too: what has the selection is isolated from there.
  await select(page, "Wall F5");
  await page.locator("hp-elements [data-row]").first().focus();
  await page.keyboard.press("i");
  await page.locator("hp-elements .away").getByText("41 hidden").waitFor();
  await canvas(page).focus();
  const before = await still(page);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowUp");
  await page.keyboard.press("+");
  assert.ok((await still(page)) > before, "keys look around");

  // The tools are a toolbar: one stop, arrows inside.
  await tool(page, "Orbit").focus();
  await page.keyboard.press("ArrowUp");
  await focusOn(tool(page, "Colours"));
  await page.keyboard.press("ArrowDown");
  await focusOn(tool(page, "Orbit"));
  await closed(page);
});

test("a menu is asked for an element, beside all for the drawing, by keys for what is selected", async () => {
  const page = await opened();
  await shown(page, "both");
  await drawing(page).evaluate((view) => {
    window.heard = [];
    view.addEventListener("hp-context", (event) =>
      window.heard.push((event as CustomEvent<{ slot: string }>).detail.slot),
    );
  });
  const byKey = () =>
    canvas(page).evaluate((one) => one.dispatchEvent(new MouseEvent("contextmenu")));
  await canvas(page).click({ button: "right", position: { x: 4, y: 4 } });
  await byKey();
  await inTheMiddle(page, "Wall F3");
  await clickMiddle(page, { button: "right" });
  await byKey();
  assert.deepEqual(await page.evaluate(() => window.heard), [
    "contextMenu.canvas",
    "contextMenu.canvas",
    "contextMenu.entity",
    "contextMenu.entity",
  ]);
  await closed(page);
});

test("it draws when something changed and never else", async () => {
  const page = await opened();
  await shown(page, "model");
  const before = await still(page);
  await page.waitForTimeout(600);
  assert.equal(await frames(page), before, "nothing moved, nothing was drawn");
  await tool(page, "Section plane").click();
  assert.ok((await still(page)) > before);
  await closed(page);
});

test("a filter of the table leaves ghosts of the rest, and a click goes through them", async () => {
  const page = await opened();
  await shown(page, "both");
  await inTheMiddle(page, "Wall F3");
  await page
    .locator("hp-elements")
    .getByRole("button", { name: /^Doors/ })
    .click();
  await clickMiddle(page);
  assert.equal(await picked(page).filter({ hasText: "Wall" }).count(), 0);
  await page
    .locator("hp-elements")
    .getByRole("button", { name: /^Doors/ })
    .click();
  await clickMiddle(page);
  await picked(page).filter({ hasText: "Wall F3" }).waitFor();
  await closed(page);
});

test("colours of extensions stand in the drawing, until they are switched off", async () => {
  const page = await opened();
  await shown(page, "both");
  await inTheMiddle(page, "Wall F3");
  const own = await middle(page);
  const id = await page
    .locator("hp-elements")
    .evaluate((one) => (one as Elements).rows.find(({ name }) => name === "Wall F3")?.id ?? 0);
  await page.evaluate(
    ({ modelId, expressId }) => {
      window.hpViewer = [
        { op: "colorize", refs: [{ modelId, expressId }], color: "#d01010", label: "Red" },
      ];
    },
    { modelId: HOUSE, expressId: id },
  );
  await page.getByRole("toolbar").getByRole("button", { name: "Count" }).click();
  await page.locator("hp-elements .legend").waitFor();
  const [red, green, blue] = await middle(page);
  assert.ok(red > 120 && green < 70 && blue < 70, `${red} ${green} ${blue} is red`);
  await tool(page, "Colours").click();
  assert.deepEqual(await middle(page), own);
  await tool(page, "Colours").click();
  await page.locator("hp-elements").getByRole("button", { name: "Reset colours" }).click();
  assert.deepEqual(await middle(page), own);
  await closed(page);
});

test("what extensions hide, isolate and fly to is seen, also when the drawing is opened after it", async () => {
  const page = await opened();
  await page.locator("hp-elements").waitFor();
  const id = await page
    .locator("hp-elements")
    .evaluate((one) => (one as Elements).rows.find(({ name }) => name === "Wall F3")?.id ?? 0);
  const run = async (...ops: string[]) => {
    await page.evaluate(
      ({ ref, all }) => {
        window.hpViewer = all.map((op) => ({ op, refs: [ref] }));
      },
      { ref: { modelId: HOUSE, expressId: id }, all: ops },
    );
    await page.getByRole("toolbar").getByRole("button", { name: "Count" }).click();
  };
  await run("isolate", "flyTo");
  await shown(page, "both");
  const away = page.locator("hp-elements .away");
  await away.getByText("41 hidden").waitFor();
  await clickMiddle(page);
  await picked(page).filter({ hasText: "Wall F3" }).waitFor();
  await run("resetVisibility");
  await away.waitFor({ state: "detached" });
  await run("hide");
  await away.getByText("1 hidden").waitFor();
  await run("show");
  await away.waitFor({ state: "detached" });
  await closed(page);
});

test("distances are measured in the unit of the file, and a section says where it stands", async () => {
  const page = await opened();
  await page.locator("hp-elements").waitFor();
  const text = fixture("villa-2x3.ifc");
  await page.evaluate((file) => window.hpTake("villa-2x3.ifc", file), text);
  await page.locator(".doc").getByText("villa-2x3.ifc").waitFor();
  await shown(page, "model");
  await page.locator('[data-layout="both"]').click();
  await page.locator("hp-elements [data-row]").filter({ hasText: "IfcSlab" }).first().click();
  await canvas(page).focus();
  await page.keyboard.press("f");
  await page.keyboard.press("m");
  await page.keyboard.press("Enter");
  const box = drawing(page).locator('[data-box="measure"]');
  await box.getByText("Click the second point.").waitFor();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  await box.getByText("Distance").waitFor();
  const said = await box.innerText();
  const [, distance] = /Distance\s+([\d,]+) mm/.exec(said) ?? [];
  assert.ok(Number(distance?.replaceAll(",", "")) > 50, said);
  assert.match(said, /From\s+(Face|Edge|Corner) of /);
  await page.keyboard.press("Escape");
  await box.waitFor({ state: "detached" });
  await page.keyboard.press("s");
  const plane = drawing(page).locator('[data-box="section"]');
  assert.match(await plane.innerText(), /Plane at [\d,]+ mm/);
  const low = plane.getByRole("slider");
  await low.press("Home");
  const pictures = await still(page);
  await plane.getByRole("button", { name: "Flip" }).click();
  assert.ok((await still(page)) > pictures);
  await plane.getByRole("button", { name: "Remove the plane" }).click();
  await plane.waitFor({ state: "detached" });
  await closed(page);
});

test("two models are one picture; one that is off is not drawn, one that is closed is gone", async () => {
  const page = await opened();
  await shown(page, "both");
  const text = fixture("villa-2x3.ifc");
  await page.evaluate((file) => window.hpTake("villa.ifc", file, true), text);
  await page.locator("hp-models").waitFor();
  await page.locator('hp-view3d[data-state="done"]').waitFor();
  /** In the page: how many elements of each place are drawn, and that no shape has the number of another. */
  const drawn = () =>
    drawing(page).evaluate((one) => {
      const { batches, hidden } = (one as View3dElement).view;
      const seen = new Set(batches.flatMap(({ ids }) => [...ids]).filter((id) => !hidden.has(id)));
      const shapes = batches.flatMap((batch) => batch.shapes.map(({ shape }) => shape));
      const second = [...seen].filter((id) => id >= 2 ** 32).length;
      return [seen.size - second, second, shapes.length - new Set(shapes).size];
    });
  const [first = 0, second = 0, doubled] = await drawn();
  assert.ok(first > 20 && second > 20, `${first} and ${second}`);
  assert.equal(doubled, 0);
  await inTheMiddle(page, "Wall F3");
  await clickMiddle(page);
  await picked(page).filter({ hasText: "Wall F3" }).waitFor();
  const villa = page.locator("hp-models li").last();
  await villa.getByRole("checkbox").press("Space");
  await status(page).getByText("42 of 42 elements").waitFor();
  assert.deepEqual(await drawn(), [first, 0, 0]);
  await villa.getByRole("checkbox").press("Space");
  await status(page).getByText("80 of 80 elements").waitFor();
  assert.deepEqual(await drawn(), [first, second, 0]);
  await page.locator("hp-models li").first().getByRole("button").press("Enter");
  await page.getByRole("menuitem", { name: "Close this model" }).press("Enter");
  await status(page).getByText("38 of 38 elements").waitFor();
  await page.locator('hp-view3d[data-state="done"]').waitFor();
  assert.deepEqual(await drawn(), [0, second, 0]);
  await closed(page);
});

test("an element whose body gives no surface is listed, and the rest is drawn", async () => {
  const page = await opened();
  await page.locator("hp-elements").waitFor();
  // The first wall's solid is pulled up by nothing.
  const text = fixture("house-small.ifc");
  const broken = text.replace(/(IFCEXTRUDEDAREASOLID\([^)]*,)[\d.]+\)/, "$10.)");
  assert.notEqual(broken, text);
  await page.evaluate((file) => window.hpTake("broken.ifc", file), broken);
  await page.locator(".doc").getByText("broken.ifc").waitFor();
  await shown(page, "model");
  const list = drawing(page).locator("[data-failed]");
  await list.getByText("1 element not drawn as in the file").click();
  const link = list.getByRole("button");
  const name = await link.innerText();
  await link.click();
  await picked(page).filter({ hasText: name }).waitFor();
  assert.deepEqual(await violations(page), []);
  await closed(page);
});

test("without WebGL the table stays, and a sentence says so", async () => {
  const page = await opened();
  await page.locator("hp-elements").waitFor();
  await page.evaluate(() => {
    const own = HTMLCanvasElement.prototype.getContext;
    Object.assign(window, { hpContext: own });
    HTMLCanvasElement.prototype.getContext = function (
      this: HTMLCanvasElement,
      kind: string,
      ...more: unknown[]
    ) {
      return kind.startsWith("webgl") ? null : Reflect.apply(own, this, [kind, ...more]);
    } as typeof own;
  });
  await page.locator('[data-layout="model"]').click();
  const line = page.locator("#no-webgl");
  await line.getByText("3D is off: this browser gives no WebGL.").waitFor();
  assert.equal(await page.locator('[data-layout="model"]').isDisabled(), true);
  assert.equal(await page.locator('[data-layout="both"]').isDisabled(), true);
  await select(page, "Wall F3");
  await page.locator("hp-properties").getByText("Wall F3").first().waitFor();
  assert.deepEqual(await violations(page), []);
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.getContext = (
      window as unknown as { hpContext: typeof HTMLCanvasElement.prototype.getContext }
    ).hpContext;
  });
  await line.getByRole("button", { name: "Try again" }).click();
  await page.locator('hp-view3d[data-state="done"]').waitFor();
  assert.equal(await line.count(), 0);
  await closed(page);
});

test("a device that is lost is said, and comes back with the picture; a closed view gives it back", async () => {
  const page = await opened();
  await shown(page, "both");
  await inTheMiddle(page, "Wall F3");
  const before = await middle(page);
  const device = await canvas(page).evaluateHandle((one) => {
    const gl = (one as HTMLCanvasElement).getContext("webgl2");
    return { gl, away: gl?.getExtension("WEBGL_lose_context") };
  });
  await device.evaluate(({ away }) => away?.loseContext());
  await page.locator('hp-view3d[data-state="lost"]').waitFor();
  await drawing(page).getByText("The graphics device was lost.").waitFor();
  await device.evaluate(({ away }) => away?.restoreContext());
  await page.locator('hp-view3d[data-state="done"]').waitFor();
  assert.deepEqual(await middle(page), before);
  await page.locator('[data-layout="table"]').click();
  await drawing(page).waitFor({ state: "detached" });
  assert.equal(await device.evaluate(({ gl }) => gl?.isContextLost()), true);
  await page.locator('[data-layout="model"]').click();
  await page.locator('hp-view3d[data-state="done"]').waitFor();
  await closed(page);
});

for (const [width, theme] of [
  [1440, "light"],
  [1440, "dark"],
  [390, "light"],
] as const)
  test(`nothing of the drawing shuts anybody out at ${width} px, ${theme}`, async () => {
    const page = await opened({
      viewport: { width, height: width < 500 ? 844 : 900 },
      colorScheme: theme,
    });
    if (width < 500) await page.getByRole("button", { name: "Model", exact: true }).last().click();
    await shown(page, "model");
    await canvas(page).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("s");
    assert.deepEqual(await violations(page), []);
    assert.equal(await sideways(page), false);
    await page.locator('[data-layout="both"]').click();
    await page.locator('hp-view3d[data-state="done"]').waitFor();
    assert.deepEqual(await violations(page), []);
    await closed(page);
  });
