// What a trial does to the page ends with it, in whatever order its calls and its end come.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import type {
  Called,
  Json,
  ModelClient,
  RunningExtension,
  SandboxClient,
  Store,
  ViewerEffect,
} from "@holdpoint/core/types";
import type { Opening as OpeningOf } from "../../www/app/src/pages/model/opening.ts";
import type { Preview as PreviewOf } from "../../www/app/src/pages/model/preview.ts";
import type { Tryable } from "../../www/app/src/pages/model/trial.ts";
import { pageModules } from "./source.ts";

let Preview: typeof PreviewOf;
let Opening: typeof OpeningOf;

before(async () => {
  Object.assign(globalThis, {
    navigator: { platform: "Linux", language: "en", languages: ["en"] },
  });
  const [preview, opening] = await pageModules<
    [{ Preview: typeof PreviewOf }, { Opening: typeof OpeningOf }]
  >("pages/model/preview.ts", "pages/model/opening.ts");
  Preview = preview.Preview;
  Opening = opening.Opening;
});

const rows = [1, 2, 3].map((id) => ({ id, type: "IfcDoor", name: `Door ${id}` }));
const MODEL = "32c5b5b24ad244a2";
const client = {
  open: async () => ({ model_id: MODEL, schema: "IFC4", problems: [], opened_ms: 1 }),
  close: () => undefined,
  apply: async () => {
    await pending.rows;
    return { schema: "IFC4", problems: [] };
  },
  rows: async () => rows,
  tree: async () => [],
  named: async () => false,
  preferred: async () => null,
  details: async () => {
    await pending.details;
    return [];
  },
} as unknown as ModelClient;

/** What a call changed in the open model. */
const EDITS = [{ modelId: MODEL, edits: [{ id: 1, before: "#1=A();", after: "#1=B();" }] }];
const refOf = (expressId: number) => ({ modelId: MODEL, expressId });

const of = (print: string, more: Partial<Tryable> = {}): Tryable => ({
  files: {},
  manifest: { id: "one", name: "One", version: "1.0.0" } as Tryable["manifest"],
  granted: [],
  print,
  passed: 1,
  version: null,
  ...more,
});
const select = (...ids: number[]): ViewerEffect =>
  ({
    op: "select",
    refs: ids.map(refOf),
  }) as unknown as ViewerEffect;
const colour = (color: string): ViewerEffect =>
  ({
    op: "colorize",
    color,
    refs: [refOf(1)],
  }) as unknown as ViewerEffect;

let opening: OpeningOf;
let preview: PreviewOf;
/** Colours that an installed extension has laid. */
const installed = [{ color: "#00FF00", ids: [2] }];
/** Names of trials: those whose calls wait for an answer, and those that were ended. */
let calls: { key: string; selected(): unknown[]; answer(viewer: ViewerEffect[]): void }[];
let ended: string[];
/** What the model is waited for. */
let pending: { details: Promise<void>; rows: Promise<void> };
let stores: Json[];

const sandbox = {
  call: (running: RunningExtension): Promise<Called> =>
    new Promise((resolve) => {
      calls.push({
        key: running.key,
        selected: running.selection,
        answer: (viewer) => {
          stores.push(running.storage());
          running.keep({ a: 1 });
          const effects = { exports: [], viewer, notifications: [], ui: [] };
          resolve({ activation: null, outcome: { value: 1, failure: null, logs: [], effects } });
        },
      });
    }),
  end: async (running: RunningExtension) => {
    ended.push(running.key);
    return null;
  },
} as unknown as SandboxClient;

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
/** Answers the call that waits. */
async function answers(...viewer: ViewerEffect[]): Promise<void> {
  await settled();
  const call = calls.shift();
  assert.ok(call, "a call waits");
  call.answer(viewer);
  await settled();
}

beforeEach(async () => {
  calls = [];
  ended = [];
  stores = [];
  pending = { details: Promise.resolve(), rows: Promise.resolve() };
  opening = new Opening(
    () => client,
    { put: async () => undefined, update: async () => [] } as unknown as Store,
    () => undefined,
    () => undefined,
  );
  await opening.open(new Blob(["a"]), "a.ifc");
  await opening.select([3]);
  const recolour = () => opening.colour("Installed", installed);
  recolour();
  preview = new Preview({ sandbox, opening, changed: () => undefined, recolour });
});

const shown = () => ({
  selected: opening.model.selected,
  colours: opening.model.colouring?.groups.map((one) => one.color),
});
const untouched = { selected: [3], colours: ["#00FF00"] };

test("selection and colours of a trial go with it", async () => {
  preview.follow(of("a"));
  await answers(select(1, 2), colour("#FF0000"));
  assert.deepEqual(shown(), { selected: [1, 2], colours: ["#FF0000"] });
  preview.follow(null);
  await settled();
  assert.deepEqual(shown(), untouched);
  assert.equal(ended.length, 1);
});

test("after several selections of a trial the first one of a person is back", async () => {
  preview.follow(of("a"));
  await answers(select(1), select(2), select());
  preview.follow(of("b"));
  assert.deepEqual(opening.model.selected, [3]);
  await answers(select(1));
  preview.follow(null);
  assert.deepEqual(opening.model.selected, [3]);
});

test("what a person selected since stays", async () => {
  preview.follow(of("a"));
  await answers(select(1, 2));
  await opening.select([2]);
  preview.follow(null);
  assert.deepEqual(opening.model.selected, [2]);
});

test("a selection of another file is none of this one", async () => {
  preview.follow(of("a"));
  await answers(select());
  await opening.open(new Blob(["b"]), "b.ifc");
  preview.follow(null);
  assert.deepEqual(opening.model.selected, []);
});

test("a call that answers after the end does nothing", async () => {
  preview.follow(of("a"));
  await settled();
  preview.follow(null);
  await answers(select(1), colour("#FF0000"));
  assert.deepEqual(shown(), untouched);
});

test("a trial that ends in the middle of its effects does no more of them", async () => {
  let go: () => void = () => undefined;
  pending.details = new Promise((resolve) => {
    go = resolve;
  });
  preview.follow(of("a"));
  await answers(select(1), colour("#FF0000"));
  preview.follow(null);
  go();
  await settled();
  assert.deepEqual(shown().colours, untouched.colours);
  assert.deepEqual(opening.model.selected, [3]);
});

test("again is another trial; the one before answers to nobody, and nothing is stored for it", async () => {
  preview.follow(of("a"));
  await settled();
  const [first] = calls;
  void preview.again();
  await settled();
  assert.deepEqual(ended, [first?.key]);
  assert.notEqual(calls[1]?.key, first?.key);
  await answers(select(1), colour("#FF0000"));
  assert.deepEqual(shown(), untouched, "the answer of the first");
  await answers(select(2));
  assert.deepEqual(opening.model.selected, [2]);
  void preview.again();
  assert.deepEqual(opening.model.selected, [3]);
  await answers();
  assert.deepEqual(stores, [{}, {}, {}]);
});

test("an edit of the model is another trial, on the model as it is then", async () => {
  preview.follow(of("a"));
  await answers();
  preview.follow(of("a"));
  await settled();
  assert.deepEqual([ended.length, calls.length], [0, 0], "the same is tried once");
  await opening.change(EDITS);
  preview.follow(of("a"));
  await settled();
  assert.deepEqual([ended.length, calls.length], [1, 1]);
});

test("a model that is read again while a trial ends does not bring its colours back", async () => {
  preview.follow(of("a"));
  await answers(select(1), colour("#FF0000"));
  let go: () => void = () => undefined;
  pending.rows = new Promise((resolve) => {
    go = resolve;
  });
  const reading = opening.change(EDITS);
  preview.follow(null);
  go();
  await reading;
  assert.deepEqual(shown(), untouched);
});

/** One of two versions of the same. */
const version = (print: string, at: number): Tryable => of(print, { version: { at, hash: print } });
const [A, B, C] = [version("a", 0), version("b", 1), version("c", 2)];
/** The panels as they stand side by side, and which of them is signed. */
const sides = () =>
  preview.panels().map(({ tried }) => [tried?.version?.letter, tried?.version?.shown]);
/** Answers the call of a trial, by when it began. */
async function answersOf(nth: number, ...viewer: ViewerEffect[]): Promise<void> {
  await settled();
  const call = calls.find(({ key }) => key === `preview ${nth}`);
  assert.ok(call, "a call waits");
  call.answer(viewer);
  await settled();
}

test("of two versions only the one that is signed selects and colours", async () => {
  preview.follow(B, A);
  await answersOf(2, select(1), colour("#0000FF"));
  assert.deepEqual(shown(), untouched, "the one beside");
  await answersOf(1, select(1, 2), colour("#FF0000"));
  assert.deepEqual(shown(), { selected: [1, 2], colours: ["#FF0000"] });
  assert.deepEqual(sides(), [
    ["A", false],
    ["B", true],
  ]);
  preview.follow(null);
  await settled();
  assert.deepEqual([shown(), ended.length], [untouched, 2]);
});

test("the one that is chosen shows what it did, and neither runs again", async () => {
  preview.follow(B, A);
  await answersOf(1, select(1, 2), colour("#FF0000"));
  await answersOf(2, select(1), colour("#0000FF"));
  preview.follow(A, undefined);
  preview.follow(A, B);
  await settled();
  assert.deepEqual(shown(), { selected: [1], colours: ["#0000FF"] });
  assert.deepEqual(sides(), [
    ["A", true],
    ["B", false],
  ]);
  assert.deepEqual([ended, calls.length], [[], 2]);
  preview.follow(null);
  await settled();
  assert.deepEqual(shown(), untouched);
});

test("a third takes the place of the one beside; the one that is signed goes on", async () => {
  preview.follow(B, A);
  await answersOf(1, select(1, 2));
  preview.follow(B, C);
  await settled();
  assert.deepEqual(ended, ["preview 2"]);
  assert.deepEqual(shown().selected, [1, 2]);
  assert.deepEqual(sides(), [
    ["B", true],
    ["C", false],
  ]);
});

test("the one beside runs again alone, and what it does then reaches nobody either", async () => {
  preview.follow(B, A);
  await answersOf(1, select(1, 2));
  void preview.again("preview 2");
  await answersOf(3, select(2), colour("#0000FF"));
  assert.deepEqual(ended, ["preview 2"]);
  assert.deepEqual(shown().selected, [1, 2]);
  assert.deepEqual(shown().colours, untouched.colours);
});

test("a trial is told of what a person selected, and not of what the other one did", async () => {
  preview.follow(B, A);
  await answersOf(1, select(1, 2));
  assert.deepEqual(
    calls.map(({ selected }) => selected()),
    [[1, 2].map(refOf), [refOf(3)]],
  );
});

test("other ticks begin the one that is signed anew, and leave the one beside", async () => {
  preview.follow(B, A);
  await answersOf(1);
  preview.follow(version("less", 1), undefined);
  await settled();
  assert.deepEqual(ended, ["preview 1"]);
  assert.deepEqual(sides(), [
    ["A", false],
    ["B", true],
  ]);
});

test("a version beside which none runs is previewed like any other", () => {
  preview.follow(B, null);
  preview.shows(true);
  assert.deepEqual(sides(), [[undefined, undefined]]);
});
