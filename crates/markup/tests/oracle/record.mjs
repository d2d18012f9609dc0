// Records which elements that load something parse5 finds in each page of pages.jsonl, read and walked as Vite does
// (`traverseHtml`):
//
//     npm install parse5@8 --prefix /tmp/oracle && node crates/markup/tests/oracle/record.mjs /tmp/oracle
//
// Each line is {"text", "elements"}; an element is [first byte, byte behind its tag, name, attributes, text or null].
// The pages are tags, attributes and texts at random, chosen for drawings, raw text and misplaced tags.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { parse } = createRequire(`${process.argv[2]}/package.json`)("parse5");
const LOADING = new Set(["script", "style", "img", "link", "base", "video", "source"]);

function walk(node, visit) {
  const inner = node.nodeName === "template" ? node.content : node;
  visit(inner);
  for (const child of inner.childNodes ?? []) walk(child, visit);
}

function elements(text) {
  const found = [];
  const bytes = (end) => Buffer.byteLength(text.slice(0, end));
  walk(parse(text, { scriptingEnabled: false, sourceCodeLocationInfo: true }), (node) => {
    const place = node.sourceCodeLocation?.startTag ?? node.sourceCodeLocation;
    if (!place || !LOADING.has(node.nodeName)) return;
    const attributes = node.attrs.map(({ prefix, name, value }) => [prefix ? `${prefix}:${name}` : name, value]);
    const texts = node.childNodes.filter((child) => child.nodeName === "#text").map((child) => child.value);
    const content = ["script", "style"].includes(node.nodeName) ? texts.join("") : null;
    found.push([bytes(place.startOffset), bytes(place.endOffset), node.nodeName, attributes, content]);
  });
  return found.sort((one, other) => one[0] - other[0]);
}

const path = new URL("pages.jsonl", import.meta.url);
const pages = readFileSync(path, "utf8").trim().split("\n");
const lines = pages.map((line) => JSON.parse(line)).map(({ text }) => JSON.stringify({ text, elements: elements(text) }));
writeFileSync(path, `${lines.join("\n")}\n`);
