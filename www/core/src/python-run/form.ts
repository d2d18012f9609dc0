/**
 * A form from a JSON Schema that a script comes with: its fields, and the values of what was entered, each fault at its
 * field.
 *
 * A schema that says more than a form can show is asked for as JSON. Whether it is one at all is for the check of the
 * bundle to say; here an unreadable one has no form.
 */
import { readNumber, writeNumber } from "../numbers.ts";

/** How a field is filled. `file` holds a file; `text` may be filled from one. */
export type FieldIs =
  | "line"
  | "text"
  | "number"
  | "integer"
  | "yes"
  | "choice"
  | "choices"
  | "list"
  | "date"
  | "file"
  | "json";

export interface Field {
  name: string;
  is: FieldIs;
  title: string;
  help: string;
  required: boolean;
  /** What can be chosen, as words; their values are in `values`. */
  options: string[];
  values: unknown[];
  /** What stands in it before anybody enters anything. */
  initial: Entered;
  schema: Record<string, unknown>;
}

/** `ok: false`: the text is no schema of an object. */
export interface Form {
  ok: boolean;
  title: string;
  fields: Field[];
}

/** What a person entered: words, a tick, several choices; a file by its name. */
export type Entered = string | boolean | string[];

/** Why a value is not taken; `n` and `text` fill the sentence. */
export interface FieldProblem {
  code:
    | "required"
    | "number"
    | "integer"
    | "unclear"
    | "least"
    | "most"
    | "above"
    | "below"
    | "step"
    | "shorter"
    | "longer"
    | "pattern"
    | "date"
    | "choice"
    | "fewer"
    | "more"
    | "twice"
    | "json"
    | "file";
  n?: number;
  text?: string;
}

type Schema = Record<string, unknown>;
const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const words = (value: unknown): string => (typeof value === "string" ? value : "");
const amount = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** Follows `$ref` inside the document, as far as it leads. */
function resolved(root: Schema, value: unknown, depth = 0): Schema {
  if (!isSchema(value)) return {};
  const ref = value.$ref;
  if (typeof ref !== "string" || !ref.startsWith("#/") || depth > 8) return value;
  const found = ref
    .slice(2)
    .split("/")
    .map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, key) => (isSchema(at) ? at[key] : undefined), root);
  const { $ref: _, ...rest } = value;
  return { ...resolved(root, found, depth + 1), ...rest };
}

/** The one type that counts; null beside it makes the field one that may stay empty. */
function typeOf(schema: Schema): string {
  const all = Array.isArray(schema.type) ? schema.type : [schema.type];
  const [type = ""] = all.filter((one) => one !== "null");
  return words(type) || (isSchema(schema.properties) ? "object" : "");
}

/** The choices of `enum` or of `oneOf` with `const`; null where there are none. */
function choices(schema: Schema): { options: string[]; values: unknown[] } | null {
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.filter((one) => one !== null);
    return { values, options: values.map(String) };
  }
  const of = [schema.oneOf, schema.anyOf].find(
    (all): all is Schema[] =>
      Array.isArray(all) && all.length > 0 && all.every((one) => isSchema(one) && "const" in one),
  );
  if (!of) return null;
  return {
    values: of.map((one) => one.const),
    options: of.map((one) => words(one.title) || String(one.const)),
  };
}

const FILE_WORDS = /\b(csv|tsv|json|xml|txt|ifc|file|fil)\b/i;

function textIs(name: string, schema: Schema): FieldIs {
  const format = words(schema.format);
  if (["file", "binary", "data-url", "path"].includes(format)) return "file";
  if (schema.contentEncoding !== undefined) return "file";
  if (format === "date") return "date";
  const said = `${name.replaceAll("_", " ")} ${words(schema.title)} ${words(schema.description)}`;
  const long = (amount(schema.maxLength) ?? 0) > 200;
  if (
    format === "textarea" ||
    long ||
    schema.contentMediaType !== undefined ||
    FILE_WORDS.test(said)
  )
    return "text";
  return "line";
}

function kindOf(
  name: string,
  schema: Schema,
  root: Schema,
): Pick<Field, "is" | "options" | "values"> {
  const one = choices(schema);
  if (one) return { is: "choice", ...one };
  const bare = { options: [], values: [] };
  const type = typeOf(schema);
  if (type === "boolean") return { is: "yes", ...bare };
  if (type === "number" || type === "integer") return { is: type, ...bare };
  if (type === "string") return { is: textIs(name, schema), ...bare };
  if (type === "array") {
    const items = resolved(root, schema.items);
    const many = choices(items);
    if (many) return { is: "choices", ...many };
    if (["string", "number", "integer"].includes(typeOf(items))) return { is: "list", ...bare };
  }
  return { is: "json", ...bare };
}

function initialOf(
  is: FieldIs,
  schema: Schema,
  { values, options }: Pick<Field, "options" | "values">,
  locale: string,
): Entered {
  const given = schema.default ?? schema.const;
  const text = (one: unknown) => (typeof one === "number" ? writeNumber(one, locale) : String(one));
  if (is === "yes") return given === true;
  if (is === "choices")
    return Array.isArray(given) ? options.filter((_, i) => given.includes(values[i])) : [];
  if (given === undefined || given === null) return "";
  if (is === "choice") return options[values.indexOf(given)] ?? "";
  if (is === "list") return Array.isArray(given) ? given.map(text).join("\n") : "";
  if (is === "json") return JSON.stringify(given, null, 2);
  return is === "file" ? "" : text(given);
}

/** The fields of a schema, in its order, their numbers as `locale` writes them. Empty: a form without fields. */
export function fieldsOf(text: string, locale = "en"): Form {
  if (!text.trim()) return { ok: true, title: "", fields: [] };
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return { ok: false, title: "", fields: [] };
  }
  if (!isSchema(root)) return { ok: false, title: "", fields: [] };
  const whole = resolved(root, root);
  const properties = isSchema(whole.properties) ? whole.properties : {};
  const required = Array.isArray(whole.required) ? whole.required : [];
  const fields = Object.entries(properties).map(([name, value]): Field => {
    const schema = resolved(root as Schema, value);
    const kind = kindOf(name, schema, root as Schema);
    return {
      name,
      ...kind,
      title: words(schema.title) || name,
      help: words(schema.description),
      required: required.includes(name),
      initial: initialOf(kind.is, schema, kind, locale),
      schema:
        kind.is === "list" ? { ...schema, items: resolved(root as Schema, schema.items) } : schema,
    };
  });
  return { ok: true, title: words(whole.title), fields };
}

function numberProblem(value: number, schema: Schema): FieldProblem | null {
  const of = (name: string) => amount(schema[name]);
  const [least, most] = [of("minimum"), of("maximum")];
  const [above, below] = [of("exclusiveMinimum"), of("exclusiveMaximum")];
  const step = of("multipleOf");
  if (least !== undefined && value < least) return { code: "least", n: least };
  if (most !== undefined && value > most) return { code: "most", n: most };
  if (above !== undefined && value <= above) return { code: "above", n: above };
  if (below !== undefined && value >= below) return { code: "below", n: below };
  if (step && Math.abs(value / step - Math.round(value / step)) > 1e-9)
    return { code: "step", n: step };
  return null;
}

function textProblem(value: string, schema: Schema): FieldProblem | null {
  const [least, most] = [amount(schema.minLength), amount(schema.maxLength)];
  const length = [...value].length;
  if (least !== undefined && length < least) return { code: "longer", n: least };
  if (most !== undefined && length > most) return { code: "shorter", n: most };
  const pattern = words(schema.pattern);
  if (!pattern) return null;
  try {
    return new RegExp(pattern, "u").test(value) ? null : { code: "pattern", text: pattern };
  } catch {
    return null;
  }
}

type Read = { value: unknown } | { problem: FieldProblem } | null;
const bad = (problem: FieldProblem): Read => ({ problem });

function number(entered: string, whole: boolean, schema: Schema, locale: string): Read {
  const said = readNumber(entered, locale);
  if ("problem" in said) return bad({ code: said.problem });
  const { value } = said;
  if (whole && !Number.isInteger(value)) return bad({ code: "integer" });
  const problem = numberProblem(value, schema);
  return problem ? bad(problem) : { value };
}

function many(values: unknown[], schema: Schema): Read {
  const [least, most] = [amount(schema.minItems), amount(schema.maxItems)];
  if (least !== undefined && values.length < least) return bad({ code: "more", n: least });
  if (most !== undefined && values.length > most) return bad({ code: "fewer", n: most });
  if (schema.uniqueItems === true && new Set(values).size < values.length)
    return bad({ code: "twice" });
  return { value: values };
}

function list(entered: string, schema: Schema, locale: string): Read {
  const lines = entered
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const items = isSchema(schema.items) ? schema.items : {};
  const type = typeOf(items);
  const values: unknown[] = [];
  for (const line of lines) {
    const problem = type === "string" ? textProblem(line, items) : null;
    const read =
      type === "string" ? { value: line } : number(line, type === "integer", items, locale);
    if (problem) return bad(problem);
    if (!read || "problem" in read) return read;
    values.push(read.value);
  }
  return many(values, schema);
}

/** One field: its value, its fault, or null where it was left empty. */
function read(
  { is, schema, options, values }: Field,
  entered: Entered | undefined,
  locale: string,
): Read {
  if (is === "yes") return { value: entered === true };
  if (is === "choices") {
    const chosen = Array.isArray(entered) ? entered : [];
    return many(
      chosen.map((one) => values[options.indexOf(one)]),
      schema,
    );
  }
  const text = typeof entered === "string" ? entered : "";
  if (is === "list")
    return text.trim() || amount(schema.minItems) ? list(text, schema, locale) : null;
  if (text === "" || (is !== "line" && is !== "text" && !text.trim())) return null;
  if (is === "number" || is === "integer") return number(text, is === "integer", schema, locale);
  if (is === "choice") {
    const at = options.indexOf(text);
    return at < 0 ? bad({ code: "choice" }) : { value: values[at] };
  }
  if (is === "date")
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
      ? { value: text }
      : bad({ code: "date" });
  if (is === "json") {
    try {
      return { value: JSON.parse(text) as unknown };
    } catch (error) {
      return bad({ code: "json", text: error instanceof Error ? error.message : "" });
    }
  }
  const problem = is === "file" ? null : textProblem(text, schema);
  return problem ? bad(problem) : { value: text };
}

/**
 * The values of what was entered, and what is wrong with it, by field. Fields left empty have no value; numbers are
 * read as `locale` writes them.
 */
export function valuesOf(
  form: Form,
  entered: Readonly<Record<string, Entered>>,
  locale = "en",
): { values: Record<string, unknown>; problems: Record<string, FieldProblem> } {
  const values: Record<string, unknown> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const field of form.fields) {
    const answer = read(field, entered[field.name] ?? field.initial, locale);
    if (answer === null) {
      if (field.required)
        problems[field.name] = { code: field.is === "file" ? "file" : "required" };
    } else if ("problem" in answer) problems[field.name] = answer.problem;
    else values[field.name] = answer.value;
  }
  return { values, problems };
}
