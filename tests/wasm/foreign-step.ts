// A reader of STEP text for tests: records as they stand in a file, read without anything of the product.

/** A reference to a record. */
export interface Ref {
  ref: number;
}
/** An item of an enumeration, such as `.MILLI.`. */
export interface Item {
  item: string;
}
/** A value of a record: `$` and `*` are null, `.T.` and `.F.` booleans; a typed value is what it holds. */
export type Value = null | number | boolean | string | Ref | Item | Value[];

export interface StepRecord {
  id: number;
  /** In capitals, as files write it. */
  keyword: string;
  args: Value[];
}

/** One after the other; the last one takes a character that stands where none may. */
const TOKENS = [
  /\s+|\/\*[\s\S]*?\*\//,
  /'(?:\\\\|\\S\\[\s\S]|[^']|'')*'|"[0-9A-F]*"/,
  /#\d+|\.[A-Za-z_][A-Za-z0-9_]*\./,
  /[+-]?\d+\.?\d*(?:[Ee][+-]?\d+)?/,
  /[A-Za-z_][A-Za-z0-9_-]*/,
  /[\s\S]/,
];
const TOKEN = new RegExp(TOKENS.map(({ source }) => source).join("|"), "g");
/** Directives of a text: `''`, `\\`, `\S\ä`, `\PA\`, `\X\E5`, `\X2\00E5\X0\`, `\X4\0001F600\X0\`. */
const DIRECTIVE =
  /''|\\\\|\\S\\([\s\S])|\\P([A-I])\\|\\X\\([0-9A-Fa-f]{2})|\\X2\\([0-9A-Fa-f]*)\\X0\\|\\X4\\([0-9A-Fa-f]*)\\X0\\/g;

/** The records of the data section, in the order of the file. */
export function readStep(bytes: Uint8Array): StepRecord[] {
  const tokens = tokensOf(textOf(bytes));
  let at = 0;
  const next = (): string => tokens[at++] ?? "";

  function value(token: string): Value {
    if (token === "$" || token === "*") return null;
    if (token === "(") return list();
    if (token.startsWith("#")) return { ref: Number(token.slice(1)) };
    if (token.startsWith("'")) return decoded(token.slice(1, -1));
    if (token.startsWith('"')) return token.slice(1, -1);
    if (token.startsWith(".")) return itemOf(token.slice(1, -1).toUpperCase());
    if (/^[+\-\d]/.test(token)) return Number(token);
    // A typed value: its type, then the value in brackets.
    if (next() !== "(") throw new Error(`${token} is no value`);
    return list()[0] ?? null;
  }

  function list(): Value[] {
    const items: Value[] = [];
    for (let token = next(); token !== ")"; token = next()) {
      if (token === "") throw new Error("the file ends inside a list");
      if (token !== ",") items.push(value(token));
    }
    return items;
  }

  const records: StepRecord[] = [];
  while (next() !== "DATA");
  next();
  for (let token = next(); token !== "ENDSEC"; token = next()) {
    const head = [next(), next(), next()];
    if (!token.startsWith("#") || head[0] !== "=" || head[2] !== "(")
      throw new Error(`no record begins with ${token} ${head.join(" ")}`);
    records.push({ id: Number(token.slice(1)), keyword: head[1].toUpperCase(), args: list() });
    if (next() !== ";") throw new Error(`the record ${token} does not end`);
  }
  return records;
}

export const isRef = (value: Value | undefined): value is Ref =>
  typeof value === "object" && value !== null && "ref" in value;

/** Texts beyond ASCII are escaped; programs that write bytes all the same write UTF-8 or that of Western Europe. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function tokensOf(text: string): string[] {
  const found = text.match(TOKEN) ?? [];
  return found.filter((token) => !/^(\s|\/\*)/.test(token));
}

function itemOf(item: string): Value {
  if (item === "T" || item === "F") return item === "T";
  return { item };
}

function decoded(text: string): string {
  let page = 1;
  return text.replace(DIRECTIVE, (all, shifted, letter, byte, short, long) => {
    if (all === "''") return "'";
    if (all === "\\\\") return "\\";
    if (shifted !== undefined) return inPage(page, shifted.charCodeAt(0) + 128);
    if (letter !== undefined) {
      page = letter.charCodeAt(0) - 64;
      return "";
    }
    if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16));
    return short !== undefined ? units(short, 4) : units(long, 8);
  });
}

const inPage = (page: number, byte: number): string =>
  new TextDecoder(`iso-8859-${page}`).decode(Uint8Array.of(byte));

/** Characters as hexadecimal numbers of so many digits; those of four are UTF-16. */
function units(digits: string, size: 4 | 8): string {
  const numbers = digits.match(new RegExp(`.{${size}}`, "g")) ?? [];
  const codes = numbers.map((number) => Number.parseInt(number, 16));
  return size === 4 ? String.fromCharCode(...codes) : String.fromCodePoint(...codes);
}
