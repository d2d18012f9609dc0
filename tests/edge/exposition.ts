// Reads Prometheus' text format 0.0.4, and refuses whatever a scraper could take amiss.
import assert from "node:assert/strict";

export type Labels = Record<string, string>;

export interface Sample {
  name: string;
  labels: Labels;
  value: number;
}

export interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

const TYPES = ["counter", "gauge", "histogram", "summary", "untyped"];
const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)(?: (-?\d+))?$/;
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[+-]Inf|NaN)$/;

function number(text: string, line: string): number {
  assert.match(text, NUMBER, line);
  return Number(text.replace("Inf", "Infinity"));
}

function labelsOf(text: string | undefined, line: string): Labels {
  const labels: Labels = {};
  for (let rest = text ?? ""; rest !== ""; ) {
    const found = LABEL.exec(rest);
    assert.ok(found, `labels: ${line}`);
    const [whole, name, value] = found;
    assert.ok(!Object.hasOwn(labels, name), `a label twice: ${line}`);
    labels[name] = value.replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** One text for one series, in whatever order its labels stand. */
const series = (name: string, labels: Labels): string =>
  JSON.stringify([name, Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))]);

/** The samples of one histogram without their bound, by their other labels. */
function histogram(name: string, { samples }: Family): void {
  const parts = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...rest } = sample.labels;
    const place = series("", rest);
    parts.set(place, [...(parts.get(place) ?? []), sample]);
  }
  for (const [place, part] of parts) {
    const of = `${name} ${place}`;
    const buckets = part.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => number(labels.le ?? "none", of));
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, `${of}: the last bound is +Inf`);
    for (const [n, bound] of bounds.entries()) {
      if (n === 0) continue;
      assert.ok(bound > bounds[n - 1], `${of}: bounds rise`);
      assert.ok(buckets[n].value >= buckets[n - 1].value, `${of}: buckets are cumulative`);
    }
    const only = (suffix: string): number => {
      const [found, ...more] = part.filter((sample) => sample.name === name + suffix);
      assert.ok(found && more.length === 0, `${of}: one ${suffix}`);
      assert.equal(found.labels.le, undefined, of);
      return found.value;
    };
    assert.equal(buckets.at(-1)?.value, only("_count"), `${of}: +Inf is the count`);
    assert.ok(only("_sum") >= 0, of);
  }
}

/** The families of a text by their names; fails where the text is not exactly of the format. */
export function exposition(text: string): Map<string, Family> {
  assert.ok(text.endsWith("\n"), "the last line ends");
  assert.ok(!text.includes("\r"), "lines end with LF alone");
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let current: [string, Family] | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) (\S+)(?: (.*))?$/.exec(line);
    if (comment) {
      const [, kind, name, rest = ""] = comment;
      assert.match(name, NAME, line);
      if (current?.[0] !== name) {
        assert.ok(!families.has(name), `a family in two places: ${line}`);
        current = [name, { type: "", help: "", samples: [] }];
        families.set(...current);
      }
      const family = current[1];
      assert.deepEqual(family.samples, [], `behind samples: ${line}`);
      const member = kind === "HELP" ? "help" : "type";
      assert.equal(family[member], "", `twice: ${line}`);
      assert.notEqual(rest, "", line);
      if (kind === "TYPE") assert.ok(TYPES.includes(rest), line);
      family[member] = rest;
      continue;
    }
    if (line === "" || line.startsWith("#")) continue;
    const found = SAMPLE.exec(line);
    assert.ok(found, `no sample: ${line}`);
    const [, name, written, value] = found;
    assert.ok(current, `before any family: ${line}`);
    const [family, { type, help, samples }] = current;
    assert.ok(type !== "" && help !== "", `before HELP and TYPE: ${line}`);
    const names =
      type === "histogram"
        ? ["_bucket", "_sum", "_count"].map((suffix) => family + suffix)
        : [family];
    assert.ok(names.includes(name), `of another family: ${line}`);
    const sample = { name, labels: labelsOf(written, line), value: number(value, line) };
    const one = series(name, sample.labels);
    assert.ok(!seen.has(one), `a series twice: ${line}`);
    seen.add(one);
    if (type === "counter") assert.ok(sample.value >= 0, `a counter below zero: ${line}`);
    samples.push(sample);
  }
  for (const [name, family] of families) {
    assert.ok(family.type !== "" && family.help !== "", `${name} has HELP and TYPE`);
    if (family.type === "histogram") histogram(name, family);
  }
  return families;
}

/** The sum of the samples of this name that have these labels, whatever else they have. */
export function summedUp(families: Map<string, Family>, name: string, labels: Labels = {}): number {
  const all = [...families.values()].flatMap((family) => family.samples);
  return all
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([of, is]) => sample.labels[of] === is))
    .reduce((sum, sample) => sum + sample.value, 0);
}
