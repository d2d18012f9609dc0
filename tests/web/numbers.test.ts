// Numbers as people write them: read in the language of the page, never rounded, refused where they are unclear.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readNumber, writeNumber } from "@holdpoint/core/numbers";
import { fieldsOf, valuesOf } from "@holdpoint/core/python-run";
import { modules } from "./source.ts";

let amounts: typeof import("../../www/elements/src/usage/amounts.ts");
let texts: typeof import("../../www/elements/src/text/index.ts");

before(async () => {
  [amounts, texts] = await modules<[typeof amounts, typeof texts]>(
    "usage/amounts.ts",
    "text/index.ts",
  );
});

/** The number, or why there is none. */
const said = (text: string, locale: string, whole = false): number | string => {
  const read = readNumber(text, locale, whole);
  return "value" in read ? read.value : read.problem;
};

test("a number is read with the groups and the decimal sign of its language", () => {
  const cases: [text: string, en: number | string, sv: number | string][] = [
    ["115,000", 115_000, 115],
    ["115.000", 115, "unclear"],
    ["5,000,000", 5_000_000, "number"],
    ["5 000 000", 5_000_000, 5_000_000],
    ["5\u202f000\u202f000", 5_000_000, 5_000_000],
    ["5\u00a0000,5", "number", 5_000.5],
    ["1,234.5", 1_234.5, "number"],
    ["1 234,5", "number", 1_234.5],
    ["175,50", 175.5, 175.5],
    ["12.5", 12.5, 12.5],
    ["0.125", 0.125, 0.125],
    ["1,5", 1.5, 1.5],
    ["1e6", 1_000_000, 1_000_000],
    ["−3", -3, -3],
    [".5", 0.5, 0.5],
    ["1,00,000", "number", "number"],
    ["1 00 000", "number", "number"],
    ["1,,5", "number", "number"],
    ["many", "number", "number"],
    ["", "number", "number"],
    ["-", "number", "number"],
  ];
  for (const [text, en, sv] of cases)
    assert.deepEqual([said(text, "en"), said(text, "sv-SE")], [en, sv], JSON.stringify(text));
});

test("where only whole numbers count, none with decimals is one, not even with zeros", () => {
  assert.equal(said("115,000", "en", true), 115_000);
  assert.equal(said("115.000", "en", true), "integer");
  assert.equal(said("115,000", "sv-SE", true), "integer");
  assert.equal(said("115.000", "sv-SE", true), "unclear");
  assert.equal(said("12.5", "en", true), "integer");
});

test("what a field is given reads back as it was, in each language", () => {
  for (const locale of ["en", "sv-SE", "zh-CN", "de-DE"])
    for (const n of [0, 1.125, 12.5, 115_000, 0.000_1, -7])
      assert.equal(said(writeNumber(n, locale), locale), n, locale);
});

test("an amount is taken as the page writes it; one that is not whole is refused in a sentence", () => {
  assert.equal(amounts.read("115,000", "tokens"), 115_000);
  assert.equal(amounts.read("5,000,000", "requests"), 5_000_000);
  assert.equal(amounts.read("1,250.50", "cost"), 1_250_500_000);
  assert.equal(amounts.read("115.7", "tokens"), null);
  assert.equal(amounts.read("0.0000004", "cost"), null);
  const why = (text: string) => amounts.unread(text, "tokens", "usage.wrong.limit");
  assert.equal(why("115,000"), "");
  assert.equal(why("115.7"), "Write a whole number, such as 115,000.");
  assert.equal(why("many"), "Write the limit as a number.");
  texts.setLanguage("sv");
  assert.equal(amounts.read(amounts.written(12_500_000, "cost"), "cost"), 12_500_000);
  assert.match(amounts.unread("1.250", "cost", "usage.wrong.limit"), /två tal\. .* 1\s234,5\.$/);
  texts.setLanguage("en");
});

test("a form of a script reads its numbers in the language of the page", () => {
  const schema = {
    properties: { area: { type: "number", default: 1.125 }, n: { type: "integer" } },
  };
  const form = (locale: string) => fieldsOf(JSON.stringify(schema), locale);
  assert.equal(form("sv-SE").fields[0]?.initial, "1,125");
  const of = (locale: string, n: string) => valuesOf(form(locale), { n }, locale);
  assert.deepEqual(of("en", "1,200").values, { area: 1.125, n: 1_200 });
  assert.deepEqual(of("sv-SE", "1 200").values, { area: 1.125, n: 1_200 });
  assert.deepEqual(of("sv-SE", "1.200").problems, { n: { code: "unclear" } });
});
