// Whatever a page or an answer of the scripted model offers to ask is answered by the scripted model.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { modules } from "./source.ts";

interface Scene {
  when: {
    last_user_contains?: string | string[];
    system_contains?: string | string[];
    has_tool?: string;
  };
  reply: { text?: string };
}
interface Transcript {
  turns: Scene[];
  otherwise?: Scene;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = `${root}fixtures/transcripts`;
const read = (path: string): Transcript => JSON.parse(readFileSync(`${folder}/${path}`, "utf8"));
/** In the order in which they are played. */
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".json"))
  .sort();
const all = files.flatMap((path) => read(path).turns);
const list = (texts: string | string[] = []): string[] => [texts].flat();
const occur = (texts: string | string[] | undefined, text: string): boolean =>
  list(texts).every((one) => text.toLowerCase().includes(one.toLowerCase()));

/** The turn that answers, as the scripted server chooses it. */
const answering = (asked: { user: string; system?: string; tool?: string }): Scene | undefined =>
  all.find(
    ({ when }) =>
      occur(when.last_user_contains, asked.user) &&
      occur(when.system_contains, asked.system ?? "") &&
      (when.has_tool === undefined || when.has_tool === asked.tool),
  );
/** One that was written for some request, not for all others. */
const known = (turn: Scene | undefined): boolean => turn?.when.last_user_contains !== undefined;
const offers = (text = ""): string[] => text.match(/(?<=^- ).+$/gm) ?? [];

let texts: typeof import("../../www/elements/src/text/index.ts");
let apps: typeof import("../../www/elements/src/apps/view.ts");
let script: typeof import("../../www/elements/src/script/view.ts");

before(async () => {
  [texts, script, apps] = await modules<[typeof texts, typeof script, typeof apps]>(
    "text/index.ts",
    "script/view.ts",
    "apps/view.ts",
  );
});

test("what the page of models offers is planned, written, and also run once", () => {
  const [otherwise] = files.map(read).flatMap((one) => one.otherwise ?? []);
  const listed = offers(otherwise?.reply.text);
  assert.ok(listed.length > 5);
  const suggested = ["empty.ex1", "empty.ex2", "empty.ex3"] as const;
  for (const key of suggested) assert.ok(listed.includes(texts.english(key)), key);
  for (const request of listed) {
    const tasks = request.endsWith("?") ? ["script."] : ["plan.", "generate.", "script."];
    for (const task of tasks) {
      const user = `TASK: ${task} ${request}`;
      assert.ok(known(answering({ user })), user);
    }
  }
});

test("what is offered beside the sample script is answered", () => {
  const systems = {
    edit: "You edit a script tool",
    chat: "You help a person who writes a script tool",
  };
  for (const { key, mode } of script.examples.doors) {
    const system = systems[mode === "chat" ? "chat" : "edit"];
    assert.ok(known(answering({ user: texts.english(key), system })), key);
  }
  for (const system of Object.values(systems)) {
    const turn = answering({ user: "Something else", system });
    assert.ok(!known(turn) && turn?.reply.text);
    for (const user of offers(turn.reply.text.replaceAll("\\n", "\n").replaceAll('"', "\n")))
      assert.ok(known(answering({ user, system: systems.edit })), user);
  }
});

test("a request for an app that nobody wrote an answer for is told what fits its template", () => {
  for (const template of ["blank-react", "chat-classic", "dashboard"] as const) {
    const asked = { system: `and began as the template \`${template}\`.`, tool: "read_file" };
    const turn = answering({ user: "Something else", ...asked });
    const listed = offers(turn?.reply.text);
    assert.ok(!known(turn) && listed.length > 2, template);
    const starts = (apps.starts[template] ?? []).map((key) => texts.english(key));
    assert.ok(starts.length > 0);
    for (const user of [...listed, ...starts])
      assert.ok(known(answering({ user, ...asked })), user);
    const { name, description } = JSON.parse(
      readFileSync(`${root}fixtures/apps/${template}/template.manifest.json`, "utf8"),
    );
    const none = answering({ user: "Something else", system: "", tool: "read_file" });
    assert.ok(none?.reply.text?.includes(name), name);
    assert.equal(texts.english(`apps.template.${template}`), name);
    assert.equal(texts.english(`apps.template.${template}.text`), description);
  }
});

test("packages are called the same by the page, by themselves and by the scripted model", () => {
  const asked = { system: "You are the Builder.", tool: "builder.context.get" };
  const said = answering({ user: "Something else", ...asked })?.reply.text ?? "";
  const names = {
    claims: "claims-desk",
    publishing: "publishing",
    incident: "post-mortem",
  } as const;
  for (const [key, path] of Object.entries(names)) {
    const { name } = JSON.parse(readFileSync(`${root}fixtures/crew/${path}/bmad.json`, "utf8"));
    assert.equal(texts.english(`crew.new.${key as keyof typeof names}`), name);
    assert.ok(said.includes(name), name);
  }
});
