// Which keys of the catalogues the page names, as the compiler sees it: whole in a string, or built of parts.
//
// What can stand in a `${…}` is asked of the type checker: a union says it. Where a type is only `string` (a code of
// the edge or of an engine), the words that such a part can be are those of the Rust sources.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A union that is larger says no more than `string`. */
const MAX_WORDS = 400;

/** A text in parts: its pieces, and the words that can stand between them (null: any). */
export interface Built {
  pieces: string[];
  words: (string[] | null)[];
}

/**
 * `named`: every string of the page; `built`: every text in parts that can be a key. With an `entry`, those of it and
 * of what it imports, but for what stands below the folders `without`.
 */
export function keys(
  entry?: string,
  without: readonly string[] = [],
): { named: Set<string>; built: Built[] } {
  const path = join(root, "www/app/tsconfig.json");
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (name: string) => readFileSync(name, "utf8")).config,
    ts.sys,
    dirname(path),
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const named = new Set<string>();
  const built: Built[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) named.add(node.text);
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent))
      template(node);
    ts.forEachChild(node, walk);
  };
  const template = (node: ts.TemplateExpression): void => {
    // In the place of a key the whole is a union: what its parts can be together, not each by itself.
    const whole = literals(checker.getTypeAtLocation(node));
    if (whole) {
      for (const word of whole) named.add(word);
      return;
    }
    built.push({
      pieces: [node.head.text, ...node.templateSpans.map((span) => span.literal.text)],
      words: node.templateSpans.map((span) => literals(checker.getTypeAtLocation(span.expression))),
    });
  };
  const reached = entry ? imported(join(root, entry), program, without) : null;
  for (const source of program.getSourceFiles())
    if (
      /\/www\/(elements|app)\/src\//.test(source.fileName) &&
      !/\/text\/(en|sv|zh)\b/.test(source.fileName) &&
      (!reached || reached.has(source.fileName))
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

/** A file and every file that it imports, also when it is needed only. */
function imported(entry: string, program: ts.Program, without: readonly string[]): Set<string> {
  const all = new Set<string>();
  const follow = (path: string): void => {
    const source = program.getSourceFile(path);
    if (!source || all.has(path) || without.some((folder) => path.includes(folder))) return;
    all.add(path);
    for (const { fileName } of ts.preProcessFile(source.text).importedFiles) {
      const { resolvedModule } = ts.resolveModuleName(
        fileName,
        path,
        program.getCompilerOptions(),
        ts.sys,
      );
      if (resolvedModule) follow(resolvedModule.resolvedFileName);
    }
  };
  follow(entry);
  return all;
}

/** The words of a type; null where it is not a union of words. */
function literals(type: ts.Type): string[] | null {
  const all = type.isUnion() ? type.types : [type];
  const words = all.filter((one) => one.isStringLiteral());
  return all.length <= MAX_WORDS && words.length === all.length
    ? words.map((one) => one.value)
    : null;
}

/** Whether a built text can be `key`; `known` says which words an open part can be. */
export function makes(
  { pieces, words }: Built,
  key: string,
  known: (word: string) => boolean,
): boolean {
  const [first, ...rest] = pieces;
  if (!key.startsWith(first)) return false;
  const from = (at: number, i: number): boolean => {
    if (i === rest.length) return at === key.length;
    const fits = (end: number): boolean =>
      key.startsWith(rest[i], end) && from(end + rest[i].length, i + 1);
    const between = words[i];
    if (between)
      return between.some((word: string) => key.startsWith(word, at) && fits(at + word.length));
    for (let end = at + 1; end <= key.length; end += 1)
      if (known(key.slice(at, end)) && fits(end)) return true;
    return false;
  };
  return from(first.length, 0);
}
