// What a request to an app is made of: files that are named, an element that was pointed at, a part that is wanted
// otherwise, a request that waits for the end of the run.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { BuilderState, Framed } from "@holdpoint/core/apps";
import { modules, pageModules } from "./source.ts";

let mentions: typeof import("../../www/elements/src/talk/mentions.ts");
let pointing: typeof import("../../www/app/src/pages/apps/pointing.ts");
let tokens: typeof import("../../www/app/src/pages/apps/tokens.ts");
let talking: typeof import("../../www/app/src/pages/apps/talking.ts");
let publishing: typeof import("../../www/app/src/pages/apps/publishing.ts");
let settings: typeof import("../../www/app/src/pages/apps/settings.ts");
let facts: typeof import("../../www/app/src/pages/apps/facts.ts");

before(async () => {
  [mentions] = await modules<[typeof mentions]>("talk/mentions.ts");
  [pointing, tokens, talking, publishing, settings, facts] = await pageModules<
    [
      typeof pointing,
      typeof tokens,
      typeof talking,
      typeof publishing,
      typeof settings,
      typeof facts,
    ]
  >(
    "pages/apps/pointing.ts",
    "pages/apps/tokens.ts",
    "pages/apps/talking.ts",
    "pages/apps/publishing.ts",
    "pages/apps/settings.ts",
    "pages/apps/facts.ts",
  );
});

test("a name begins at an @ that no word stands before, and ends at the caret", () => {
  const at = (text: string) => mentions.namingAt(text, text.length);
  assert.deepEqual(at("see @Sna"), { start: 4, name: "Sna" });
  assert.deepEqual(at("@"), { start: 0, name: "" });
  assert.deepEqual(at('see @"my fi'), { start: 4, name: "my fi" });
  assert.deepEqual(at("(@src/lib/å"), { start: 1, name: "src/lib/å" });
  for (const text of ["ann@example", "see @Sna ", "@a b", "x.@y", "a/@b"])
    assert.equal(at(text), null, text);
  assert.deepEqual(mentions.namingAt("see @Snag and", 8), { start: 4, name: "Sna" });
});

test("files fit by the beginning of their names, then by a part, then by their folders", () => {
  const files = ["src/data/snags.ts", "src/Table.tsx", "src/SnagTable.tsx", "src/snag/Row.tsx"];
  const fit = (name: string) => mentions.fitting(files, { start: 0, name });
  assert.deepEqual(fit("snag"), ["src/SnagTable.tsx", "src/data/snags.ts", "src/snag/Row.tsx"]);
  assert.deepEqual(fit("table"), ["src/Table.tsx", "src/SnagTable.tsx"]);
  assert.deepEqual(fit("nothing"), []);
  assert.equal(fit("").length, 4);
});

test("a path is written so that it is read whole", () => {
  assert.equal(mentions.named("src/a-b_c.tsx"), "@src/a-b_c.tsx");
  assert.equal(mentions.named("my file.md"), '@"my file.md"');
  assert.equal(mentions.named('a"b c'), "@'a\"b c'");
  assert.equal(mentions.named("odd."), '@"odd."');
  assert.deepEqual(mentions.put("see @Sn now", "src/Snag.ts", 4, 7), {
    text: "see @src/Snag.ts now",
    caret: 16,
  });
});

const files = {
  "package.json": '{ "name": "add-snag" }',
  "src/App.tsx": "<h1>Snags</h1>\n<button className='go'>Add snag</button>\n",
  "src/Other.tsx": "<p>Nothing here</p>\n<button>Add snag</button>\n",
  "src/App.test.tsx": "getByText('Add snag')\ngetByText('Only in a test')\n",
};

test("an element is found by its words, by its classes, or by most of its words; tests come last", () => {
  const of = (text: string, classes = "") =>
    pointing
      .spotsOf(files, { tag: "button", text, classes })
      .map(({ path, line }) => `${path}:${line}`);
  assert.deepEqual(of("Add snag"), ["src/App.tsx:2", "src/Other.tsx:2"]);
  assert.deepEqual(of("Snags"), ["src/App.tsx:1"]);
  assert.deepEqual(of("17 due", "go"), ["src/App.tsx:2"]);
  assert.deepEqual(of("Nothing at all here"), ["src/Other.tsx:1"]);
  assert.deepEqual(of("Only in a test"), ["src/App.test.tsx:2"]);
  assert.deepEqual(of("none of these words"), []);
});

test("what an app says is one short line without names of files, however long it is", () => {
  assert.equal(pointing.quoted(' a "b"\n@src/App.tsx '), "\"a 'b' ＠src/App.tsx\"");
  const huge = "<script>x</script>".repeat(60_000);
  assert.ok(pointing.quoted(huge).length <= 202);
  assert.ok(pointing.spotsOf(files, { tag: huge, text: huge, classes: huge }).length === 0);
});

test("a token says its element with its place; of several none is guessed", () => {
  const one = tokens.elementToken({ tag: "h1", text: "Snags", classes: "" }, files);
  assert.deepEqual([one.at, one.places.length], [0, 1]);
  assert.match(tokens.wordsOf([one])[0] ?? "", /h1 "Snags" @src\/App\.tsx:1$/);
  const two = tokens.elementToken({ tag: "button", text: "Add snag", classes: "" }, files);
  assert.deepEqual([two.at, two.places.length], [null, 2]);
  assert.doesNotMatch(tokens.wordsOf([two])[0] ?? "", /@/);
  assert.match(tokens.wordsOf([{ ...two, at: 1 }])[0] ?? "", /@src\/Other\.tsx:2$/);
});

test("a part of a proposal goes back as it stands, with its place", () => {
  const line = (kind: "context" | "insert" | "delete", text: string) => ({ kind, text, eol: "lf" });
  const hunk = {
    ...{ id: "h1", old_start: 4, old_count: 1, new_start: 4, new_count: 2 },
    lines: [line("delete", "a"), line("insert", "b"), line("context", "c")],
  };
  const one = tokens.redoToken("cs_1", "src/App.tsx", hunk as never);
  assert.equal(one.from, "cs_1");
  assert.match(tokens.wordsOf([one])[0] ?? "", /@src\/App\.tsx:4:\n-a\n\+b\n c$/);
});

// ── a conversation over an edge in memory ────────────────────────────────────────────────────────────────────────

const REQUEST = "9c1e".repeat(8);
type Body = { input: string; mode?: string; from?: string; explain?: object };

/** Runs end when the test says so. */
function edge() {
  const bodies: Body[] = [];
  const ends: ((outcome: string, proposal?: string) => void)[] = [];
  const seen = { resolved: 0 };
  const frame = (request: string, seq: number, event: string, data: object): Framed => ({
    id: `${request}:${seq}`,
    event,
    data: { event, stage: "start", request_id: request, seq, ts: "", data },
  });
  const api = {
    turns: async () => ({ items: [], next_cursor: null }),
    cancel: async () => ({}),
    chat: async function* (_app: string, body: Body): AsyncGenerator<Framed> {
      bodies.push(body);
      const request = `${REQUEST.slice(0, 30)}${String(bodies.length).padStart(2, "0")}`;
      yield frame(request, 1, "status", { thread_id: "t" });
      const { outcome, proposal } = await new Promise<{ outcome: string; proposal?: string }>(
        (resolve) => ends.push((outcome, proposal) => resolve({ outcome, proposal })),
      );
      yield frame(request, 2, "token", { content: "Done." });
      yield frame(request, 3, "done", {
        outcome,
        turn_id: `turn_${bodies.length}`,
        proposal_id: proposal,
      });
    },
  };
  const around = {
    ...{ api, online: () => true, currency: () => "USD", changed: () => undefined },
    ...{ spent: () => undefined, focus: () => undefined, failed: () => undefined },
    gateway: { quote: async () => ({ tokens: { max: 1 }, cost: { max: 1 }, fits: true }) },
    checks: {
      call: async (_method: string, { text }: { text: string }) => {
        seen.resolved += 1;
        const all = [...text.matchAll(/@due\b(?!\.)/g)];
        const candidates = ["src/due.ts", "src/due.test.ts"];
        return {
          mentions: all.map(({ index = 0, 0: raw }) => ({
            ...{ raw, start: index, end: index + raw.length, status: "ambiguous", candidates },
          })),
        };
      },
    },
  };
  const talk = new talking.Talking(around as never, "app_1", {
    paths: () => ["src/due.ts", "src/due.test.ts"],
    along: async () => ({ base: "rev_1", from: "draft" }),
    active: async () => null,
    decided: () => null,
    off: () => "",
    template: () => "",
    ...{ proposed: () => undefined, moved: () => undefined, ended: () => undefined },
    keep: () => undefined,
  });
  return { talk, bodies, ends, seen };
}

const until = async (holds: () => boolean, what: string): Promise<void> => {
  for (let i = 0; i < 500; i += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.fail(what);
};

test("a name that fits several files is asked about before anything is sent, and chosen or left", async () => {
  const { talk, bodies, ends } = edge();
  await talk.ask("Fix @due and @due");
  assert.equal(bodies.length, 0);
  assert.deepEqual(talk.view().composer.several, [
    { raw: "@due", candidates: ["src/due.ts", "src/due.test.ts"] },
  ]);
  await talk.decide("@due", "src/due.ts");
  assert.equal(talk.session.view.draft, "Fix @src/due.ts and @src/due.ts");
  assert.equal(bodies.length, 0, "nothing is sent without Ask");
  assert.deepEqual(talk.view().composer.several, []);
  await talk.ask("Say @due");
  await talk.decide("@due", null);
  assert.deepEqual(talk.view().composer.several, []);
  const asked = talk.ask("Say @due");
  await until(() => ends.length === 1, "asked");
  assert.equal(bodies[0]?.input, "Say @due");
  ends[0]?.("answered");
  await asked;
});

test("what goes along is sent with the words, once, and stays until it was taken", async () => {
  const { talk, bodies, ends } = edge();
  talk.add(tokens.elementToken({ tag: "h1", text: "Snags", classes: "" }, files));
  talk.add(tokens.explainToken({ from: "rev_1", to: "rev_2", path: "a.ts" }, "a.ts"));
  assert.equal(talk.view().composer.mode, "answer");
  const asked = talk.ask("Why?");
  await until(() => ends.length === 1, "asked");
  assert.match(bodies[0]?.input ?? "", /^Why\?\n\n.*"Snags" @src\/App\.tsx:1\n\n.*a\.ts$/s);
  assert.deepEqual(
    [bodies[0]?.mode, bodies[0]?.explain],
    ["answer", { from: "rev_1", to: "rev_2", path: "a.ts" }],
  );
  await until(() => talk.view().composer.tokens?.length === 0, "taken");
  assert.equal(talk.view().composer.mode, "edit");
  ends[0]?.("answered");
  await asked;
});

test("the next request waits for the end of the run and goes on from its proposal", async () => {
  const { talk, bodies, ends } = edge();
  void talk.ask("First");
  await until(() => ends.length === 1, "asked");
  await talk.queue("Second");
  assert.equal(talk.view().composer.queued, "Second");
  assert.equal(talk.words, "Second", "a reload brings the words back");
  assert.equal(bodies.length, 1);
  ends[0]?.("succeeded", "cs_1");
  await until(() => ends.length === 2, "the queued one is asked");
  assert.deepEqual([bodies[1]?.input, bodies[1]?.from], ["Second", "cs_1"]);
  assert.equal(talk.view().composer.queued, null);
  ends[1]?.("answered");
  await until(() => talk.session.view.turn === null, "ended");
});

test("after a run that did not deliver, or asks back, nothing is sent: the words are in the field", async () => {
  for (const outcome of ["failed", "cancelled", "budget_exceeded", "needs_input"]) {
    const { talk, bodies, ends } = edge();
    void talk.ask("First");
    await until(() => ends.length === 1, "asked");
    await talk.queue("Second");
    talk.write("third");
    ends[0]?.(outcome);
    await until(() => talk.session.view.turn === null, "ended");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(bodies.length, 1, outcome);
    assert.equal(talk.session.view.draft, "Second\n\nthird", outcome);
  }
});

test("a page that was left sends nothing", async () => {
  const { talk, bodies, ends } = edge();
  void talk.ask("First");
  await until(() => ends.length === 1, "asked");
  await talk.queue("Second");
  talk.session.close();
  ends[0]?.("succeeded", "cs_1");
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(bodies.length, 1);
  assert.equal(edge().talk.view().composer.queued, null, "another page knows nothing of it");
});

// ── publish when it is ready, settings ───────────────────────────────────────────────────────────────────────────

const app = {
  ...{ id: "app_1", name: "Snags", slug: "snags", status: "draft" },
  ...{ current_published_revision_id: null, published_url: null, published_at: null },
  settings: {
    ...{ dependency_policy: "curated", save_gate: "build", publish_requires_tests: false },
    ...{ connect_origins: [], env: { VITE_A: "1" } },
  },
};
const state = (number: number, build_status: string): BuilderState =>
  ({
    app,
    current_draft_revision: { id: `rev_${number}`, number, build_status, files_hash: "sha256:00" },
    current_published_revision: null,
  }) as unknown as BuilderState;

test("what waits for its build is published when that has succeeded, and only that version", async () => {
  const published: string[] = [];
  let known = facts.factsOf(state(3, "running"));
  const api = {
    publish: async (_app: string, id: string) => {
      published.push(id);
      return app;
    },
    publications: async () => ({ items: [] }),
    health: async () => ({ diagnostics: [] }),
  };
  const around = {
    ...{ api, online: () => true, changed: () => undefined, done: () => undefined },
    ...{ toast: () => undefined, failed: () => undefined, refused: () => undefined },
  };
  const made = () =>
    new publishing.Publishing("app_1", around as never, {
      facts: () => known,
      changed: async () => undefined,
    });
  const [mine, other] = [made(), made()];
  mine.wait();
  known = facts.factsOf(state(3, "succeeded"));
  other.moved(false);
  assert.deepEqual(published, [], "nobody else waits for it");
  mine.moved(false);
  await until(() => published.length === 1, "published");
  known = facts.factsOf(state(4, "running"));
  mine.wait();
  known = facts.factsOf(state(5, "succeeded"));
  mine.moved(false);
  assert.deepEqual(published, ["rev_3"], "a newer draft was not signed");
});

function setting(refusal?: object) {
  const sent: object[] = [];
  const heard: string[] = [];
  const known = facts.factsOf(state(3, "succeeded"));
  const api = {
    change: async (_app: string, body: object) => {
      sent.push(body);
      if (refusal) throw refusal;
      return app;
    },
    remove: async () => undefined,
  };
  const around = {
    ...{ api, online: () => true, changed: () => undefined, done: () => undefined },
    ...{ toast: () => undefined, failed: () => undefined },
    refused: (wanted: string) => heard.push(wanted),
  };
  const ends = {
    facts: () => known,
    changed: async () => undefined,
    gone: async () => void heard.push("gone"),
  };
  return { own: new settings.OwnerSettings("app_1", around as never, ends), sent, heard };
}

test("only what differs is sent, and rows that nobody filled are none", async () => {
  const { own, sent } = setting();
  assert.equal(own.view().changed, false);
  await own.save();
  own.edit({ name: "Snag list", tests: true, origins: ["", " https://api.example.com "] });
  own.edit({
    env: [
      { name: "VITE_A", value: "1" },
      { name: "", value: "" },
    ],
  });
  await own.save();
  assert.deepEqual(sent, [
    {
      name: "Snag list",
      settings: { publish_requires_tests: true, connect_origins: ["https://api.example.com"] },
    },
  ]);
});

test("each fault of the settings stands at its field; what has none stands above the page", async () => {
  const at = async (refusal: object, edit: object): Promise<[string[], string[]]> => {
    const { own, heard } = setting(refusal);
    own.edit(edit);
    await own.save();
    return [Object.keys(own.view().errors), heard];
  };
  const message = "No.";
  const env = [
    { name: "", value: "" },
    { name: "VITE_MAIL_KEY", value: "q7Zt91fKe0" },
  ];
  const secret = {
    code: "ENV_SECRET_VALUE",
    message,
    details: { pointer: "/settings/env/VITE_MAIL_KEY" },
  };
  assert.deepEqual(await at(secret, { env }), [["env/1"], []]);
  assert.deepEqual(await at({ code: "SLUG_TAKEN", message }, { slug: "b" }), [["slug"], []]);
  assert.deepEqual(await at({ code: "APP_PUBLISHED", message }, { slug: "b" }), [["slug"], []]);
  const name = { code: "INVALID_INPUT", message, details: { pointer: "/name" } };
  assert.deepEqual(await at(name, { name: "" }), [["name"], []]);
  const origin = {
    code: "INVALID_INPUT",
    message,
    details: { pointer: "/settings/connect_origins/0" },
  };
  assert.deepEqual(await at(origin, { origins: ["", "nowhere"] }), [["origins/1"], []]);
  assert.deepEqual(await at({ code: "FORBIDDEN", message }, { tests: true }), [[], ["settings"]]);
  const twice = { env: [...env.slice(1), ...env.slice(1)] };
  const { own, sent } = setting();
  own.edit(twice);
  await own.save();
  assert.deepEqual([Object.keys(own.view().errors), sent], [["env/1"], []]);
  own.edit({ env: env.slice(1) });
  assert.deepEqual(own.view().errors, {}, "what is changed is not wrong any more");
});
