/**
 * The head of a step file: its fields, and the change of one field that leaves every other byte where it is.
 *
 * Reads for a form; what is right is said by the check, which has a parser of its own. Invariant: a text whose head is
 * no mapping is never changed.
 */
import { isMap, isScalar, isSeq, type Pair, parseDocument, type YAMLMap } from "yaml";

const MARKER = /^---[ \t]*\r?$/;

/** What the form of a step shows. */
export interface StepFields {
  nodeId: string;
  type: string;
  title: string;
  agentId: string;
  inputs: string[];
  outputs: string[];
  setsVariables: string[];
  /** Whether the step names its ways out itself. */
  transitions: boolean;
}

export interface StepText {
  /** Null where the head cannot be read: then the text is all there is. */
  fields: StepFields | null;
  head: string;
  body: string;
  /** The line of the file on which the body begins, from 1. */
  bodyLine: number;
}

/** The block between the markers, and where it stands. */
function block(text: string): { from: number; to: number; body: number } | null {
  const start = text.startsWith("\uFEFF") ? 1 : 0;
  const first = text.indexOf("\n", start);
  if (first < 0 || !MARKER.test(text.slice(start, first))) return null;
  for (let at = first + 1; at <= text.length; ) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    if (MARKER.test(line))
      return { from: first + 1, to: at, body: end < 0 ? text.length : end + 1 };
    if (end < 0) return null;
    at = end + 1;
  }
  return null;
}

function mapping(yaml: string): YAMLMap | null {
  const document = parseDocument(yaml, { version: "1.2", schema: "core", uniqueKeys: true });
  return document.errors.length === 0 && isMap(document.contents) ? document.contents : null;
}

export function readStep(text: string): StepText {
  const at = block(text);
  const map = at && mapping(text.slice(at.from, at.to));
  const body = at ? text.slice(at.body) : text;
  return {
    fields: map ? fieldsOf(map) : null,
    head: at ? text.slice(0, at.body) : "",
    body,
    bodyLine: at ? text.slice(0, at.body).split("\n").length : 1,
  };
}

function fieldsOf(map: YAMLMap): StepFields {
  const word = (key: string): string => {
    const value: unknown = map.get(key);
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  const list = (key: string): string[] => {
    const value: unknown = map.get(key);
    return isSeq(value)
      ? value.items.map((item) => (isScalar(item) ? String(item.value) : ""))
      : [];
  };
  const transitions: unknown = map.get("transitions");
  return {
    nodeId: word("nodeId"),
    type: word("type"),
    title: word("title"),
    agentId: word("agentId"),
    inputs: list("inputs"),
    outputs: list("outputs"),
    setsVariables: list("setsVariables"),
    transitions: isSeq(transitions) && transitions.items.length > 0,
  };
}

/** A value of the head. Null takes the member away. */
export type FieldValue = string | readonly unknown[] | null;

/** The text with another value for a member of its head; as it was where the head cannot be read. */
export function writeField(text: string, key: string, value: FieldValue): string {
  const at = block(text);
  const yaml = at ? text.slice(at.from, at.to) : "";
  const map = at && mapping(yaml);
  if (!at || !map) return text;
  const pair = map.items.find((one) => isScalar(one.key) && one.key.value === key);
  if (!pair && value === null) return text;
  const changed = pair
    ? replaced(yaml, pair, value)
    : added(yaml, `${key}: ${written(value ?? "")}`);
  return text.slice(0, at.from) + changed + text.slice(at.to);
}

/** In front of the closing marker, with the line ends of the block. */
function added(yaml: string, line: string): string {
  const end = yaml.includes("\r\n") ? "\r\n" : "\n";
  return `${yaml}${yaml === "" || yaml.endsWith("\n") ? "" : end}${line}${end}`;
}

function replaced(yaml: string, pair: Pair, value: FieldValue): string {
  const key = rangeOf(pair.key);
  const colon = yaml.indexOf(":", key[1]) + 1;
  const ends = pair.value === null ? colon : Math.max(colon, rangeOf(pair.value)[1]);
  // A block value ends with its line.
  const end = colon + yaml.slice(colon, ends).trimEnd().length;
  if (value !== null) {
    const now = written(value, yaml.slice(colon, end));
    return `${yaml.slice(0, colon)}${/^\r?\n/.test(now) ? "" : " "}${now}${yaml.slice(end)}`;
  }
  const after = yaml.indexOf("\n", end);
  return yaml.slice(0, key[0]) + (after < 0 ? "" : yaml.slice(after + 1));
}

const rangeOf = (node: unknown): readonly [number, number] => {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1]] : [0, 0];
};

/** As JSON, which is YAML; a list that stood in lines stays in lines, each with what it had around it. */
function written(value: string | readonly unknown[], was = ""): string {
  if (typeof value === "string") return JSON.stringify(value);
  const [, lead] = /^[ \t]*\r?\n([ \t]*)-/.exec(was) ?? [];
  if (lead === undefined || value.length === 0)
    return `[${value.map((one) => JSON.stringify(one)).join(", ")}]`;
  const end = was.includes("\r\n") ? "\r\n" : "\n";
  const had = was.split(/\r?\n/).slice(1);
  const line = (one: unknown): string =>
    had.find((old) => meaning(old) === one) ?? `${lead}- ${JSON.stringify(one)}`;
  return end + value.map(line).join(end);
}

/** The text of a line of a list. */
function meaning(line: string): string | null {
  const [, item] = /^\s*-\s+(.*)$/.exec(line) ?? [];
  if (item === undefined) return null;
  const value: unknown = parseDocument(item, { version: "1.2", schema: "core" }).toJS();
  return typeof value === "string" ? value : null;
}
