// The catalogues (www/elements/src/text): one language says what the other says, and no word stands outside of them.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Plural } from "../../www/elements/src/text/index.ts";
import { keys, makes } from "./keys.ts";
import { modules } from "./source.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const www = [join(root, "www/elements/src"), join(root, "www/app/src")];

type Catalogue = Record<string, string | Plural>;
let texts: typeof import("../../www/elements/src/text/index.ts");
let told: typeof import("../../www/elements/src/text/said.ts");
let sentences: Readonly<Record<string, string>>;
let chineseSentences: Readonly<Record<string, string>>;
let english: Catalogue;
let swedish: Catalogue;
let chinese: Readonly<Record<string, string>>;
let phrases: Record<string, string>;

before(async () => {
  [
    texts,
    told,
    { en: english },
    { sv: swedish },
    { zh: chinese },
    { phrases },
    { sentences },
    { sentences: chineseSentences },
  ] = await modules<
    [
      typeof texts,
      typeof told,
      { en: Catalogue },
      { sv: Catalogue },
      { zh: typeof chinese },
      { phrases: typeof phrases },
      { sentences: typeof sentences },
      { sentences: typeof sentences },
    ]
  >(
    "text/index.ts",
    "text/said.ts",
    "text/en.ts",
    "text/sv.ts",
    "text/zh.ts",
    "text/phrases.ts",
    "text/generated/sv.ts",
    "text/generated/zh.ts",
  );
});

/** Every file below `folder` whose name ends so. */
function files(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    if (one.isDirectory())
      return one.name === "target" || one.name === "node_modules" || one.name === "generated"
        ? []
        : files(path, ending);
    return path.endsWith(ending) ? [path] : [];
  });
}

const forms = (entry: string | Plural): string[] =>
  typeof entry === "string" ? [entry] : Object.values(entry);
const params = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))].sort();

test("both languages have the same keys", () => {
  const missing = Object.keys(english).filter((key) => !(key in swedish));
  const stale = Object.keys(swedish).filter((key) => !(key in english));
  assert.deepEqual({ missing, stale }, { missing: [], stale: [] });
});

test("a text with plural forms has them in both, and each form says its number or does without", () => {
  for (const [key, entry] of Object.entries(english)) {
    const other = swedish[key];
    if (other === undefined) continue;
    assert.equal(typeof other, typeof entry, `${key}: forms in one language only`);
    if (typeof entry === "string") continue;
    for (const one of [entry, other])
      assert.deepEqual(Object.keys(one).sort(), ["one", "other"], key);
  }
});

test("both languages use the same parameters", () => {
  for (const [key, entry] of Object.entries(english)) {
    const other = swedish[key];
    if (other === undefined) continue;
    const all = (one: string | Plural) =>
      [...new Set(forms(one).flatMap((text) => params(text)))].sort();
    assert.deepEqual(all(other), all(entry), key);
  }
});

test("Chinese has one form for every number, keys of the English and their parameters", () => {
  for (const [key, text] of Object.entries(chinese)) {
    const source = english[key];
    assert.ok(source !== undefined, `${key} is no text`);
    assert.equal(typeof text, "string", key);
    assert.deepEqual(params(text), [...new Set(forms(source).flatMap(params))].sort(), key);
  }
});

test("every text that crew pages name is said in Chinese", () => {
  // The list of all elements is nobody's: who draws one imports its file.
  const others = ["apps", "model", "scripts", "usage"].map((page) => `/pages/${page}/`);
  const { named, built } = keys("www/app/src/pages/crew/boot.ts", [
    ...others,
    "/elements/src/index.ts",
  ]);
  const all = words();
  const parts = built.filter(({ pieces }) => pieces[0] !== "");
  const shown = (key: string) =>
    named.has(key) || parts.some((one) => makes(one, key, (word) => all.has(word)));
  assert.ok(shown("crew.title") && shown("talk.label") && !shown("tree.title"));
  assert.deepEqual(
    Object.keys(english).filter((key) => shown(key) && !(key in chinese)),
    [],
  );
});

test("Chinese is written with its own signs, and with a blank beside Latin letters and digits", () => {
  for (const [key, text] of Object.entries({ ...chinese, ...chineseSentences })) {
    assert.doesNotMatch(text, /[\u4e00-\u9fff][,;:!?](?!\/)/, `${key}: a half-width sign`);
    assert.doesNotMatch(text, /[\u4e00-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u4e00-\u9fff]/, key);
    assert.doesNotMatch(text, /您|！|抱歉|对不起|成功/, key);
  }
});

test("no text is empty, shouts, apologises or boasts", () => {
  const catalogues = { en: english, sv: swedish, zh: chinese };
  for (const [language, catalogue] of Object.entries(catalogues))
    for (const [key, entry] of Object.entries(catalogue))
      for (const text of forms(entry)) {
        assert.notEqual(text.trim(), "", `${language} ${key}`);
        assert.doesNotMatch(
          text,
          /!|\bplease\b|successfully|\boops\b|vänligen|framgångsrikt|\bhoppsan\b|tyvärr/i,
          `${language} ${key}`,
        );
        if (language === "sv") assert.doesNotMatch(text, /[“"]/, `${key}: Swedish quotes are ”so”`);
      }
});

/**
 * Words that a part of a key can be where its type is only `string`: those that the sources of the engine and the edge
 * quote, or name a variant.
 */
function words(): Set<string> {
  const sources = [
    ...["crates", "worker/src"].flatMap((folder) => [
      ...files(join(root, folder), ".rs"),
      ...files(join(root, folder), ".json"),
    ]),
    ...files(join(root, "www/core/src"), ".ts"),
  ].filter((path) => !/\/tests\//.test(path));
  const all = new Set<string>();
  for (const path of sources) {
    const source = readFileSync(path, "utf8");
    for (const [, word] of source.matchAll(/"([\w.-]+)"/g)) all.add(word);
    for (const [variant] of source.matchAll(/\b[A-Z][a-z][A-Za-z0-9]*\b/g)) {
      const snake = variant.replace(/(?<=[a-z0-9])[A-Z]/g, "_$&").toLowerCase();
      for (const word of [snake, snake.toUpperCase(), snake.replaceAll("_", "-")]) all.add(word);
    }
  }
  return all;
}

test("every key that the page names is a text, and every text is named", () => {
  for (const path of www.flatMap((folder) => files(folder, ".ts")))
    for (const [, key] of readFileSync(path, "utf8").matchAll(/\bt\(\s*"([^"]+)"/g))
      assert.ok(key in english, `${relative(root, path)}: ${key} is no text`);
  const { named, built } = keys();
  const all = words();
  // Types of elements are words of the models, not of ours.
  const known = (word: string) => all.has(word) || /^Ifc([A-Z][a-z]+)+$/.test(word);
  const used = (key: string) => named.has(key) || built.some((one) => makes(one, key, known));
  assert.deepEqual(
    Object.keys(english).filter((key) => !used(key)),
    [],
  );
  for (const dead of [
    "road.nowhere",
    "talk.outcome.gone",
    "findings.error.nothing_of_it",
    "error.NOT_A_CODE_OF_OURS",
    "talk.outcome.timeout.why",
    "zebra.closed",
  ])
    assert.equal(used(dead), false, `${dead} would be taken for a text that is used`);
});

test("no word that a person reads stands outside of the catalogues, and no format outside of one place", () => {
  const formats = /(base\/format|text\/index|model\/table)\.ts$/;
  for (const path of www
    .flatMap((folder) => files(folder, ".ts"))
    .filter((one) => !/\/text\/(en|sv|zh)/.test(one))) {
    const source = readFileSync(path, "utf8")
      .replace(/\/\*[\s\S]*?\*\//g, "")
      .replace(/(^|\s)\/\/.*$/gm, "");
    const where = relative(root, path);
    assert.deepEqual(
      [
        ...source.matchAll(
          /\b(?:aria-label|aria-description|title|placeholder|alt|heading|label)="[^"$]*[A-Za-z]{2}[^"$]*"/g,
        ),
      ].map(String),
      [],
      where,
    );
    assert.deepEqual(
      [
        ...source.matchAll(
          /<\/?(?!code\b)[a-z][\w-]*(?:\s[^<>]*)?>[^<>$`{}=;()]*[A-Za-z]{2}[^<>$`{}=;()]*</g,
        ),
      ].map(String),
      [],
      where,
    );
    if (!formats.test(path))
      assert.deepEqual(
        [...source.matchAll(/\.toLocale(?:Date|Time)?String\(|\bnew Intl\./g)].map(String),
        [],
        where,
      );
  }
});

test("plural forms, numbers and parameters follow the language, and who listens hears of it", () => {
  const { t, setLanguage, onLanguage, preferred } = texts;
  let heard = 0;
  const end = onLanguage(() => {
    heard += 1;
  });
  const say = () => [
    t("toast.lines", { n: 1 }),
    t("toast.lines", { n: 1200 }),
    t("change.number", { n: 7 }),
    phrases["Fold line"],
  ];
  assert.deepEqual(say(), ["1 line", "1,200 lines", "Change 7", "Fold line"]);
  setLanguage("sv");
  assert.deepEqual(say(), ["1 rad", "1\u00a0200 rader", "Ändring 7", "Fäll ihop raden"]);
  setLanguage("sv");
  setLanguage("zh");
  assert.deepEqual(say(), ["1 line", "1,200 lines", "Change 7", "折叠行"]);
  assert.equal(t("crew.steps.n", { n: 1200 }), "1,200 个步骤");
  setLanguage("en");
  end();
  setLanguage("sv");
  setLanguage("en");
  assert.equal(heard, 3);
  const cases: [string[], string][] = [
    [["sv-FI", "en"], "sv"],
    [["nb", "sv"], "sv"],
    [["de"], "en"],
    [[], "en"],
    [["en-GB", "sv"], "en"],
    [["zh-Hans-CN", "en"], "zh"],
  ];
  for (const [wanted, got] of cases) assert.equal(preferred(wanted), got, wanted.join());
});

test("a code's sentence is said in Swedish with its values; without a table or a value it stays as it came", () => {
  const message = "as it came";
  const cases: [Parameters<typeof told.said>[0], string][] = [
    [
      { code: "CODE_EVAL", message, args: { name: "eval" } },
      "Skriv koden själv i stället för att ge text till `eval`.",
    ],
    // One code, several sentences: the case tells which.
    [
      { code: "CODE_FORBIDDEN_GLOBAL", message, args: { case: "NAME", name: "window" } },
      "Gör det med `ctx`: det finns inget `window` i sandlådan.",
    ],
    // A sentence that a code borrows.
    [
      { code: "INVALID_ID", message, args: { case: "INVALID_VALUE.MAX_LENGTH", limit: 3 } },
      "Rätta värdet: högst 3 tecken.",
    ],
    [
      {
        code: "TEST_THREW",
        message,
        args: {
          case: "THREW.THROWN",
          name: "",
          message: "x is not a function",
          place: " (a.js:1:2)",
        },
      },
      "x is not a function (a.js:1:2)",
    ],
    // A value that is a sentence itself.
    [
      {
        code: "TEST_THREW",
        message,
        args: {
          case: "THREW.THROWN",
          name: "SdkError: ",
          message: {
            code: "THREW",
            message: "as it came too",
            args: { case: "SDK_LIMIT.FILES", call: "bim.export.csv", limit: 20 },
          },
          place: "",
        },
      },
      "SdkError: bim.export.csv: högst 20 filer per anrop.",
    ],
    [
      {
        code: "CAPABILITY_WILDCARD",
        message,
        args: {
          case: "DECLARED",
          permission: {
            code: "PERMISSION",
            message: "Save any kind of files to your computer.",
            args: {
              case: "export.create",
              target: { code: "PERMISSION", message: "any kind of", args: { case: "ANY_FORMAT" } },
            },
          },
        },
      },
      "Spara alla slags filer på din dator. Ange vad som behövs, där du kan.",
    ],
    [
      { code: "TEST_WEAKENED", message, args: { case: "FIXTURE", fixture: "empty-model" } },
      "testmodellen byttes till empty-model",
    ],
    [{ code: "GRANTS_CHANGED", message }, "Dess behörigheter är inte de som står i manifestet."],
    [
      { code: "FILES_LEFT_OUT", message, args: { case: "LEFT_OUT" } },
      "Några filer rymdes inte och lämnades bort.",
    ],
    // Stored before there were such values: as it came.
    [{ code: "TEST_THREW", message, args: { case: "THREW.THROWN", message: "x" } }, message],
    [{ code: "KEY_REVOKED", message }, "Nyckeln är återkallad. Använd en annan."],
    [{ code: "CODE_EVAL", message }, message],
    [{ code: "CODE_EVAL", message, args: { case: "ONLY_HERE", name: "eval" } }, message],
    [{ code: "NOBODY_TRANSLATED_THIS", message, args: { name: "a" } }, message],
  ];
  for (const [one] of cases) assert.equal(told.said(one), message);
  texts.setLanguage("sv");
  for (const [one, words] of cases) assert.equal(told.said(one), words);
  const finding = {
    code: "EXPECT_FAILED",
    message,
    args: { operator: "equals", expected: "1", actual: "2" },
  };
  assert.equal(told.hinted({ ...finding, hint: "expected 1, actual 2" }), "väntat 1, blev 2");
  assert.equal(
    told.hinted({ ...finding, code: "UNKNOWN_ICON", hint: "Nearest: a." }),
    "Nearest: a.",
  );
  texts.setLanguage("en");
  assert.equal(told.hinted({ ...finding, hint: "expected 1, actual 2" }), "expected 1, actual 2");
});

test("the table of sentences is what its source says", () => {
  for (const [language, table] of Object.entries({ sv: sentences, zh: chineseSentences })) {
    const source = readFileSync(join(root, `crates/facade/texts/${language}.json`), "utf8");
    assert.deepEqual(table, JSON.parse(source));
  }
  for (const [key, text] of Object.entries(sentences)) {
    assert.notEqual(text.trim(), "", key);
    assert.doesNotMatch(text, /!|[“]|vänligen|framgångsrikt|\bhoppsan\b|tyvärr/i, key);
  }
});

test("a permission, a weaker test, a failed call and a broken model are said from their values", () => {
  const property = {
    code: "PERMISSION",
    message: '"FireRating" in "Pset_WallCommon"',
    args: { case: "NAME_IN_SET", name: "FireRating", set: "Pset_WallCommon" },
  };
  const why = { code: "MODEL_INVALID", message: "a number has no digits" };
  const cases: [() => string, english: string, swedish: string][] = [
    [
      () =>
        told.permission({
          sentence: 'Change "FireRating" in "Pset_WallCommon".',
          args: { case: "model.mutate", target: property },
        }),
      'Change "FireRating" in "Pset_WallCommon".',
      "Ändra ”FireRating” i ”Pset_WallCommon”.",
    ],
    [
      () =>
        told.permission({
          sentence: "Save CSV files to your computer.",
          args: {
            case: "export.create",
            target: { code: "PERMISSION", message: "CSV", args: { case: "FORMAT", format: "CSV" } },
          },
        }),
      "Save CSV files to your computer.",
      "Spara CSV-filer på din dator.",
    ],
    // A record of before: its English sentence.
    [
      () => told.permission({ sentence: "Colour elements." }),
      "Colour elements.",
      "Colour elements.",
    ],
    [
      () =>
        told.weakening({
          reason: "`equals` at $.n was removed",
          args: { case: "OPERATOR_REMOVED_AT", operator: "equals", path: "$.n" },
        }),
      "`equals` at $.n was removed",
      "`equals` vid $.n togs bort",
    ],
    [
      () =>
        told.said({
          code: "MODEL_INVALID",
          message: "this instance cannot be read and is left out: a number has no digits",
          args: { case: "UNREAD", why: { ...why, args: { case: "NO_DIGITS" } } },
        }),
      "this instance cannot be read and is left out: a number has no digits",
      "instansen kan inte läsas och är utelämnad: ett tal har inga siffror",
    ],
    [
      () =>
        told.switchedOff({
          reason: "The code ran longer than 10 seconds. Look for a loop that does not end.",
          off: {
            code: "TIMEOUT",
            message: "The code ran longer than 10 seconds. Look for a loop that does not end.",
            args: { case: "WALL", seconds: 10 },
          },
        }),
      "The code ran longer than 10 seconds. Look for a loop that does not end.",
      "Koden körde längre än 10 sekunder. Leta efter en slinga som inte slutar.",
    ],
    [
      () => told.switchedOff({ reason: "Switched off by hand." }),
      "Switched off by hand.",
      "Switched off by hand.",
    ],
    [
      () =>
        told.said({
          code: "SERVICE_UNAVAILABLE",
          message: "The model did not answer in time. Try again, or ask for less at once.",
          args: { case: "ANSWER_LATE" },
        }),
      "The model did not answer in time. Try again, or ask for less at once.",
      "Modellen svarade inte i tid. Försök igen, eller be om mindre på en gång.",
    ],
  ];
  for (const [say, english] of cases) assert.equal(say(), english);
  texts.setLanguage("sv");
  for (const [say, , swedish] of cases) assert.equal(say(), swedish);
  texts.setLanguage("en");
});

test("what the page says of a sandbox or a model in English names a sentence of the table", () => {
  const sources = files(join(root, "www/core/src"), ".ts").map((path) =>
    readFileSync(path, "utf8"),
  );
  const named = sources.flatMap((source) =>
    [...source.matchAll(/code: "([A-Z_]+)",\s*message:[^;]*?args: \{ case: "([A-Z_]+)"/g)].map(
      ([, code, one]) => `${code}.${one}`,
    ),
  );
  assert.ok(named.length >= 8, named.join());
  assert.deepEqual(
    named.filter((key) => !(key in sentences)),
    [],
  );
});
