// What extensions contribute to the page: order, menus, keys; and which of them hear which event, in chains that end.

import assert from "node:assert/strict";
import { before, beforeEach, mock, test } from "node:test";
import type { Manifest } from "@holdpoint/core/types";
import type { Cause } from "../../www/app/src/pages/model/calls.ts";
import type { On } from "../../www/app/src/pages/model/contributions.ts";
import type { Deeds, Seen } from "../../www/app/src/pages/model/happenings.ts";
import { pageModules } from "./source.ts";

let c: typeof import("../../www/app/src/pages/model/contributions.ts");
let h: typeof import("../../www/app/src/pages/model/happenings.ts");

before(async () => {
  [c, h] = await pageModules<[typeof c, typeof h]>(
    "pages/model/contributions.ts",
    "pages/model/happenings.ts",
  );
});

/** An extension that is on, of which only what it contributes counts. */
const on = (id: string, contributes: object): On => ({
  id,
  manifest: {
    name: id.toUpperCase(),
    activation: [],
    entry: {},
    contributes: { commands: [{ id: "go", title: `Go ${id}` }], ...contributes },
  } as unknown as Manifest,
});
const always = () => true;

test("buttons stand by slot, then order, then command, whoever brings them", () => {
  const a = on("a", {
    toolbar: [
      { command: "z", slot: "toolbar.right" },
      { command: "go", slot: "toolbar.left", order: 200 },
    ],
  });
  const b = on("b", {
    toolbar: [
      { command: "y", slot: "toolbar.left" },
      { command: "x", slot: "toolbar.left" },
      { command: "w", slot: "toolbar.center", when: "no" },
    ],
  });
  const shown = c
    .toolbar([a, b], (when: string | undefined) => when === undefined)
    .map((one) => `${one.extension}.${one.command}`);
  assert.deepEqual(shown, ["b.x", "b.y", "a.go", "a.z"]);
});

test("two extensions of one name are told apart by their ids, and only they", () => {
  const named = (id: string, name: string, contributes: object = {}): On => {
    const one = on(id, contributes);
    return { ...one, manifest: { ...one.manifest, name } };
  };
  const entry = { contextMenu: [{ command: "go", slot: "contextMenu.entity" }] };
  const all = [named("a", "Doors", entry), named("b", "Doors", entry), named("d", "Walls", entry)];
  const apart = ["Doors (a)", "Doors (b)", "Walls"];
  assert.deepEqual([...c.namesOf(all).values()], apart);
  const [group] = c.contextMenu(all, "contextMenu.entity", always, new Map());
  assert.deepEqual(
    group?.entries.map((one) => one.name),
    apart,
  );
});

test("a context menu has its own slot, by group, with the keys of its commands", () => {
  const a = on("a", {
    contextMenu: [
      { command: "go", slot: "contextMenu.entity", group: "Later" },
      { command: "x", slot: "contextMenu.tree" },
      { command: "y", slot: "contextMenu.entity" },
    ],
  });
  const groups = c.contextMenu([a], "contextMenu.entity", always, new Map([["a|go", "Ctrl+K"]]));
  assert.deepEqual(
    groups.map((group) => [
      group.name,
      group.entries.map((entry) => [entry.command, entry.title, entry.keys]),
    ]),
    [
      ["", [["y", "y", ""]]],
      ["Later", [["go", "Go a", "Ctrl+K"]]],
    ],
  );
});

test("what is pressed is what was bound, on both kinds of keyboards", () => {
  const event = (key: string, code: string, ...down: string[]) => ({
    key,
    code,
    ctrlKey: down.includes("ctrl"),
    altKey: down.includes("alt"),
    shiftKey: down.includes("shift"),
    metaKey: down.includes("meta"),
  });
  const cases: [string, boolean, ReturnType<typeof event>][] = [
    ["Mod+K", false, event("k", "KeyK", "ctrl")],
    ["Mod+K", true, event("k", "KeyK", "meta")],
    ["Shift+Mod+K", false, event("K", "KeyK", "ctrl", "shift")],
    ["Alt+K", true, event("\u02da", "KeyK", "alt")],
    ["Ctrl+Shift+1", false, event("!", "Digit1", "ctrl", "shift")],
    ["F2", false, event("F2", "F2")],
    ["Alt+Space", false, event(" ", "Space", "alt")],
    ["Ctrl+ArrowUp", false, event("ArrowUp", "ArrowUp", "ctrl")],
    ["Ctrl+A", false, event("a", "KeyQ", "ctrl")],
  ];
  for (const [bound, mac, pressed] of cases)
    assert.equal(c.pressed(pressed), c.spelled(bound, mac), bound);
  for (const key of ["Control", "Shift", "Dead", "Unidentified"])
    assert.equal(c.pressed(event(key, "", "ctrl")), null, key);
  assert.equal(c.shownKey(c.spelled("Shift+Mod+K", true), true), "\u21e7\u2318K");
});

test("in a field only keys that write nothing there are heard", () => {
  const cases: [string, boolean][] = [
    ["F2", true],
    ["Shift+F2", true],
    ["Ctrl+Shift+K", true],
    ["Shift+Meta+K", true],
    ["Ctrl+K", false],
    ["Alt+K", false],
    ["Ctrl+Shift+ArrowUp", false],
  ];
  for (const [chord, want] of cases) assert.equal(c.writesNothing(chord), want, chord);
});

test("of two bindings the more specific condition wins, while it holds; the page keeps its own keys", () => {
  const a = on("a", {
    keybindings: [
      { command: "go", key: "Mod+K" },
      { command: "go", key: "Mod+Enter" },
      { command: "go", key: "F6" },
    ],
  });
  const b = on("b", {
    keybindings: [
      { command: "go", key: "Ctrl+K", when: "model.loaded && selection.count > 0" },
      { command: "go", key: "Mod+J" },
    ],
  });
  const winners = (when: (condition?: string) => boolean) => {
    const all = c.bindings([a, b], when, false);
    return [
      [...all.commands].map(([key, ref]) => `${key} ${ref.extension}`),
      all.chords.get("a|go") ?? null,
    ];
  };
  assert.deepEqual(winners(always), [["Ctrl+K b", "Ctrl+J b"], null]);
  assert.deepEqual(
    winners((when: string | undefined) => when === undefined),
    [["Ctrl+K a", "Ctrl+J b"], "Ctrl+K"],
  );
});

test("how much a condition asks for", () => {
  const cases: [string | undefined, number][] = [
    [undefined, 0],
    ["model.loaded", 1],
    ["!model.loaded", 1],
    ["selection.count > 0", 1],
    ["a && b && c", 3],
    ["a && b || c", 1],
    ["a && (b || c && d)", 2],
    ["!(a && b)", 2],
    ["selection.type == 'x && (y)' && a", 2],
    ["a == (b)", 1],
    ["((((", 1],
  ];
  for (const [expression, want] of cases) assert.equal(c.specificity(expression), want, expression);
});

// ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What an extension of a test does when it is called. */
type Deed = (event: string, cause: Cause) => unknown;
interface Hearing extends On {
  answer?: Deed | undefined;
}

const calls: string[] = [];
let all: Hearing[] = [];
let deeds: Deeds<Hearing>;
const model = { id: "32c5b5b24ad244a2", schema: "IFC4" };

beforeEach(() => {
  calls.length = 0;
  deeds = {
    all: () => all,
    trigger: async (one, event, cause) => {
      calls.push(`${one.id} ${event}`);
      await one.answer?.(event, cause);
    },
    activate: async (one) => {
      calls.push(`${one.id} activate`);
    },
    refresh: async () => undefined,
  };
});

const hearing = (id: string, activation: string[], triggers = {}, answer?: Deed): Hearing => ({
  id,
  manifest: { activation, entry: { triggers } } as unknown as Manifest,
  answer,
});

test("an event activates who names it, and calls the trigger where there is one", async () => {
  all = [
    hearing("a", ["onStartup", "onModelLoad"], { onModelLoad: "src/a.js" }),
    hearing("b", ["onSchema:IFC4"], { "onSchema:IFC4": "src/b.js" }),
    hearing("c", ["onSlot:statusBar.left", "onSlot:dock.left"]),
  ];
  const happenings = new h.Happenings(deeds);
  await happenings.started();
  assert.deepEqual(calls.splice(0), ["a activate", "c activate"]);
  await happenings.models([model], model);
  assert.deepEqual(calls.splice(0), ["a onModelLoad", "b onSchema:IFC4"]);
  await happenings.slot("dock.left");
  assert.deepEqual(calls.splice(0), ["c activate"]);
  await happenings.arrived(all[0]);
  await happenings.arrived(all[2]);
  assert.deepEqual(
    calls,
    ["a activate", "a onModelLoad", "c activate", "c activate"],
    "who comes later hears what was",
  );
});

test("what happened before the extensions were there is told when they are, after the start", async () => {
  const events = ["onStartup", "onModelLoad", "onSchema:IFC4", "onSlot:dock.left"];
  const triggers = { onStartup: "src/a.js", onModelLoad: "src/a.js", "onSchema:IFC4": "src/a.js" };
  const refreshed: string[] = [];
  deeds.refresh = async (one, event) => refreshed.push(`${one.id} ${event}`);
  const happenings = new h.Happenings(deeds);
  all = [];
  await happenings.models([model], model);
  await happenings.slot("dock.left");
  all = [hearing("a", events, triggers)];
  await happenings.arrived(all[0]);
  assert.deepEqual(calls, [], "nothing comes before the start");
  await happenings.started();
  assert.deepEqual(calls, ["a onStartup", "a activate", "a onModelLoad", "a onSchema:IFC4"]);
  assert.ok(refreshed.includes("a onModelLoad"), "panels that show data of the model follow");
});

test("of several models each is told when it comes, and what goes leaves the active one", async () => {
  const told: unknown[] = [];
  deeds.trigger = async (one, event, _, modelId) => told.push(`${one.id} ${event} ${modelId}`);
  const triggers = { onModelLoad: "a.js", "onSchema:IFC4": "a.js", "onSchema:IFC2X3": "a.js" };
  const [villa, tower] = ["villa", "tower"].map((id) => ({ id, schema: "IFC2X3" })) as [Seen, Seen];
  const happenings = new h.Happenings(deeds);
  all = [hearing("a", Object.keys(triggers), triggers)];
  await happenings.started();
  await happenings.models([model], model);
  await happenings.models([model, villa], villa);
  assert.deepEqual(told.splice(0), [
    `a onModelLoad ${model.id}`,
    `a onSchema:IFC4 ${model.id}`,
    "a onModelLoad villa",
    "a onSchema:IFC2X3 villa",
  ]);
  await happenings.models([villa, tower, model], tower);
  told.length = 0;
  await happenings.arrived(all[0] as Hearing);
  assert.deepEqual(
    told.splice(0),
    ["a onModelLoad villa", "a onSchema:IFC2X3 villa", `a onSchema:IFC4 ${model.id}`],
    "who comes later hears of the active one, and of each schema once",
  );
  await happenings.models([villa, model]);
  assert.deepEqual(told.splice(0), ["a onModelLoad villa"], "one was closed");
  await happenings.models([]);
  assert.deepEqual(told, [], "none is on");
});

test("a model that opens during the start is told after it", async () => {
  const triggers = { onStartup: "src/a.js", onModelLoad: "src/a.js" };
  const happenings = new h.Happenings(deeds);
  let opened: Promise<void> | undefined;
  const opens: Deed = () => {
    opened = happenings.models([model], model);
  };
  all = [
    hearing("a", ["onStartup"], triggers, opens),
    hearing("b", ["onStartup", "onModelLoad"], triggers),
  ];
  await happenings.started();
  await opened;
  assert.deepEqual(calls, ["a onStartup", "b onStartup", "b onModelLoad"]);
});

test("who comes while an event goes round hears it once", async () => {
  const triggers = { onModelLoad: "src/a.js", "onSchema:IFC4": "src/a.js" };
  const late = hearing("late", ["onModelLoad", "onSchema:IFC4"], triggers);
  const happenings = new h.Happenings(deeds);
  const comes: Deed = async (event) => {
    if (event !== "onModelLoad") return;
    all.push(late);
    await happenings.arrived(late);
  };
  all = [hearing("a", ["onModelLoad"], triggers, comes)];
  await happenings.started();
  await happenings.models([model], model);
  assert.deepEqual(calls.splice(0), ["a onModelLoad", "late onModelLoad", "late onSchema:IFC4"]);

  // It comes again, as another version.
  const again: Deed = (event) => (event === "onModelLoad" ? happenings.arrived(late) : undefined);
  all = [hearing("a", ["onModelLoad"], triggers, again), late];
  await happenings.models([model], model);
  assert.deepEqual(calls, ["a onModelLoad", "late onModelLoad", "late onSchema:IFC4"]);
});

/** Lets timers run out and what they began end. */
async function settle() {
  for (let i = 0; i < 20; i += 1) {
    mock.timers.tick(h.SETTLE_MS);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

test("changes in short time are one event, and extensions that select do not go round in circles", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const happenings = new h.Happenings(deeds);
  await happenings.started();
  const selects =
    (id: string): Deed =>
    (_event, cause) =>
      happenings.selected(new Set([...(cause ?? []), id]));
  const event = ["onSelectionChange"];
  const trigger = { onSelectionChange: "src/a.js" };
  all = [
    hearing("a", event, trigger, selects("a")),
    hearing("b", event, trigger, selects("b")),
    hearing("c", event, trigger),
  ];
  for (let i = 0; i < 5; i += 1) happenings.selected(new Set());
  await settle();
  assert.deepEqual(
    calls.splice(0),
    ["a", "b", "c", "c"].map((id) => `${id} onSelectionChange`),
    "once for the person, once for those who did not select",
  );

  // While the first round runs, a person selects as well.
  let once = true;
  const person = () => {
    if (once) happenings.selected(new Set());
    once = false;
  };
  all = [hearing("a", event, trigger, selects("a")), hearing("b", event, trigger, person)];
  happenings.selected(new Set());
  await settle();
  assert.deepEqual(
    calls,
    ["a", "b", "a", "b", "b"].map((id) => `${id} onSelectionChange`),
    "what a person does meanwhile is news for everybody",
  );
});
