/**
 * Bindings of the widget DSL (ifc-extension.md §4): `$` then `.name`, `[index]`, `["name"]`.
 *
 * Pure. Only own properties are read; a path that leads nowhere is undefined. `$$` at the start is a literal `$`.
 */
import type { Json } from "@holdpoint/core/types";

export type Path = (string | number)[];

/** The path of a binding, or null for plain text. */
export function parse(text: string): Path | null {
  if (text !== "$" && !text.startsWith("$.") && !text.startsWith("$[")) return null;
  const path: Path = [];
  let at = 1;
  const step = /\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]|\["([^"\\]*)"\]/y;
  while (at < text.length) {
    step.lastIndex = at;
    const match = step.exec(text);
    if (!match) return null;
    const [whole, name, index, quoted] = match;
    path.push(index !== undefined ? Number(index) : (name ?? quoted ?? ""));
    at += whole.length;
  }
  return path;
}

export function read(state: Json | undefined, path: Path): Json | undefined {
  let at: Json | undefined = state;
  for (const key of path) {
    if (at === null || typeof at !== "object") return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, Json>)[key];
  }
  return at;
}

/** A copy of `state` with `value` at `path`; what is missing on the way becomes an object. */
export function write(state: Json | undefined, path: Path, value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(state) && typeof key === "number") {
    const copy = [...state];
    copy[key] = write(copy[key], rest, value);
    return copy;
  }
  const base: Record<string, Json> =
    state !== null && typeof state === "object" && !Array.isArray(state) ? { ...state } : {};
  const name = String(key);
  Object.defineProperty(base, name, {
    value: write(Object.hasOwn(base, name) ? base[name] : undefined, rest, value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return base;
}

/** The value of a bindable text: what it is bound to, else the text itself. */
export function value(text: string, state: Json | undefined): Json | undefined {
  const path = parse(text);
  if (path) return read(state, path);
  return text.startsWith("$$") ? text.slice(1) : text;
}

/** A bindable text as text; nothing shows nothing. */
export function words(text: string | undefined, state: Json | undefined): string {
  return text === undefined ? "" : shown(value(text, state));
}

/** Any JSON as a person reads it. */
export function shown(json: Json | undefined): string {
  if (json === undefined || json === null) return "";
  return typeof json === "object" ? JSON.stringify(json) : String(json);
}

/** Strings inside `args` may be bindings. */
export function filled(args: Json, state: Json | undefined): Json {
  if (typeof args === "string") return value(args, state) ?? null;
  if (Array.isArray(args)) return args.map((one) => filled(one, state));
  if (args === null || typeof args !== "object") return args;
  return Object.fromEntries(Object.entries(args).map(([name, one]) => [name, filled(one, state)]));
}
