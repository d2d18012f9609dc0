// Which keys of the catalogues the page names, as the compiler sees it: whole in a string, or built of parts.
//
// What can stand in a `${…}` is asked of the type checker: a union says it. Where a type is only `string` (a code of the
// edge or of an engine), the words that such a part can be are those of the Rust sources.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const ts = createRequire(join(root, "www/app/package.json"))("typescript");
/** A union that is larger says no more than `string`. */
const MAX_WORDS = 400;

/** `named`: every string of the page; `built`: of every text in parts, its pieces and the words between them (null: any). */
export function keys() {
  const path = join(root, "www/app/tsconfig.json");
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (name) => readFileSync(name, "utf8")).config,
    ts.sys,
    dirname(path),
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const named = new Set();
  const built = [];
  const walk = (node) => {
    if (ts.isStringLiteralLike(node)) named.add(node.text);
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent))
      template(node);
    ts.forEachChild(node, walk);
  };
  const template = (node) => {
    // In the place of a key the whole is a union: what its parts can be together, not each by itself.
    const whole = literals(checker.getTypeAtLocation(node));
    if (whole) return whole.forEach((word) => named.add(word));
    built.push({
      pieces: [node.head.text, ...node.templateSpans.map((span) => span.literal.text)],
      words: node.templateSpans.map((span) => literals(checker.getTypeAtLocation(span.expression))),
    });
  };
  for (const source of program.getSourceFiles())
    if (
      /\/www\/(elements|app)\/src\//.test(source.fileName) &&
      !/\/text\/(en|sv)\b/.test(source.fileName)
    )
      walk(source);
  return {
    named,
    built: built.filter(
      ({ pieces }) =>
        /^[a-z]\w*\.|^$/.test(pieces[0]) &&
        pieces.every((piece) => /^[\w.-]*$/.test(piece)) &&
        pieces.join("").includes("."),
    ),
  };
}

/** The words of a type; null where it is not a union of words. */
function literals(type) {
  const all = type.isUnion() ? type.types : [type];
  return all.length <= MAX_WORDS && all.every((one) => one.isStringLiteral())
    ? all.map((one) => one.value)
    : null;
}

/** Whether a built text can be `key`; `known` says which words an open part can be. */
export function makes({ pieces, words }, key, known) {
  const [first, ...rest] = pieces;
  if (!key.startsWith(first)) return false;
  const from = (at, i) => {
    if (i === rest.length) return at === key.length;
    const fits = (end) => key.startsWith(rest[i], end) && from(end + rest[i].length, i + 1);
    if (words[i])
      return words[i].some((word) => key.startsWith(word, at) && fits(at + word.length));
    for (let end = at + 1; end <= key.length; end += 1)
      if (known(key.slice(at, end)) && fits(end)) return true;
    return false;
  };
  return from(first.length, 0);
}
