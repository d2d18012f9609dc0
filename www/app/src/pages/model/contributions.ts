/**
 * What enabled extensions contribute to the page, as values: buttons, menus, keys, status texts
 * (ifc-extension.md §2.1).
 *
 * Pure: manifests and the answer of every `when` come in, what is shown goes out.
 */
import type { Manifest } from "@holdpoint/core/types";

/** An extension that is switched on. */
export interface On {
  id: string;
  manifest: Manifest;
}
/** Whether a condition holds now; no condition always does. */
export type When = (expression: string | undefined) => boolean;
/** A command of an extension: ids are unique in their manifest only. */
export interface CommandRef {
  extension: string;
  command: string;
}

export const commandKey = ({ extension, command }: CommandRef): string => `${extension}|${command}`;
export const titleOf = (manifest: Manifest, command: string): string =>
  manifest.contributes?.commands?.find((one) => one.id === command)?.title ?? command;
/** An extension and what it was called for; null: for no command. */
export const calledAs = (manifest: Manifest, command: string | null): string =>
  command === null ? manifest.name : `${manifest.name} (${titleOf(manifest, command)})`;

/** What extensions are called beside each other: those of one name by their ids too. */
export function namesOf(all: Iterable<On>): Map<string, string> {
  const each = [...all];
  const same = (name: string): number => each.filter((one) => one.manifest.name === name).length;
  return new Map(
    each.map(({ id, manifest: { name } }) => [id, same(name) > 1 ? `${name} (${id})` : name]),
  );
}

const byOrder = <T extends { order?: number | undefined; command: string }>(a: T, b: T): number =>
  (a.order ?? DEFAULT_ORDER) - (b.order ?? DEFAULT_ORDER) || compare(a.command, b.command);
const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);
const DEFAULT_ORDER = 100;
const TOOLBARS = ["toolbar.left", "toolbar.center", "toolbar.right"];

/** Buttons of the toolbar: slots from left to right, then `order`, then command id. */
export function toolbar(all: On[], when: When): (CommandRef & { title: string })[] {
  return all
    .flatMap(({ id, manifest }) =>
      (manifest.contributes?.toolbar ?? [])
        .filter((one) => when(one.when))
        .map((one) => ({ ...one, extension: id, title: titleOf(manifest, one.command) })),
    )
    .sort((a, b) => TOOLBARS.indexOf(a.slot) - TOOLBARS.indexOf(b.slot) || byOrder(a, b))
    .map(({ extension, command, title }) => ({ extension, command, title }));
}

export interface StatusText {
  extension: string;
  id: string;
  text: string;
  right: boolean;
  command: string | null;
}

export function statusBar(all: On[], when: When): StatusText[] {
  return all
    .flatMap(({ id, manifest }) =>
      (manifest.contributes?.statusBar ?? [])
        .filter((one) => when(one.when))
        .map((one) => ({ ...one, extension: id })),
    )
    .sort((a, b) => (a.order ?? DEFAULT_ORDER) - (b.order ?? DEFAULT_ORDER) || compare(a.id, b.id))
    .map((one) => ({
      extension: one.extension,
      id: one.id,
      text: one.text,
      right: one.slot === "statusBar.right",
      command: one.command ?? null,
    }));
}

export interface MenuEntry extends CommandRef {
  title: string;
  name: string;
  keys: string;
}
export interface MenuGroup {
  name: string;
  entries: MenuEntry[];
}

/**
 * Entries of a context menu by group: first those without one, then groups by name; inside as the manifests have them.
 */
export function contextMenu(
  all: On[],
  slot: string,
  when: When,
  keys: ReadonlyMap<string, string>,
): MenuGroup[] {
  const groups = new Map<string, MenuEntry[]>();
  const names = namesOf(all);
  for (const { id, manifest } of all) {
    for (const one of manifest.contributes?.contextMenu ?? []) {
      if (one.slot !== slot || !when(one.when)) continue;
      const ref = { extension: id, command: one.command };
      const entry = {
        ...ref,
        title: titleOf(manifest, one.command),
        name: names.get(id) ?? manifest.name,
        keys: keys.get(commandKey(ref)) ?? "",
      };
      const group = one.group?.trim() ?? "";
      groups.set(group, [...(groups.get(group) ?? []), entry]);
    }
  }
  return [...groups]
    .sort(([a], [b]) => compare(a, b))
    .map(([name, entries]) => ({ name, entries }));
}

// ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What of a key event counts. */
export interface Pressed {
  key: string;
  code: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/** Keys that the page itself answers, wherever the focus is (UI.md §3, §8); those of a pane are kept by the pane. */
const OWN = ["F6", "Shift+F6", "Mod+Enter", "Mod+Z", "Mod+Shift+Z", "Mod+S", "Mod+A"];
/** Names that `KeyboardEvent.key` has otherwise. */
const NAMED: Record<string, string> = { " ": "Space", Esc: "Escape", Del: "Delete" };

/** The one spelling of a binding: which modifiers are down, then the key. */
export function spelled(key: string, mac: boolean): string {
  const parts = key.split("+");
  const last = parts.pop() ?? "";
  const main = mac ? "Meta" : "Ctrl";
  const down = new Set(parts.map((part) => (part === "Mod" ? main : part)));
  return chord(down.has("Ctrl"), down.has("Alt"), down.has("Shift"), down.has("Meta"), last);
}

/** The same spelling of what is pressed; null while it is no key of bindings. */
export function pressed(event: Pressed): string | null {
  const named = NAMED[event.key] ?? event.key;
  const letter = /^[A-Za-z0-9]$/.test(named)
    ? named.toUpperCase()
    : (/^(?:Key|Digit)([A-Z0-9])$/.exec(event.code)?.[1] ?? null);
  const key = named.length > 1 && named !== "Dead" ? named : letter;
  if (key === null || /^(Control|Alt|Shift|Meta|Unidentified|Process)$/.test(key)) return null;
  return chord(event.ctrlKey, event.altKey, event.shiftKey, event.metaKey, key);
}

const chord = (ctrl: boolean, alt: boolean, shift: boolean, meta: boolean, key: string): string =>
  [ctrl ? "Ctrl" : "", alt ? "Alt" : "", shift ? "Shift" : "", meta ? "Meta" : "", key]
    .filter((part) => part !== "")
    .join("+");

/** Whether a field has no use of its own for a chord: function keys, and letters with Ctrl or Meta and one more. */
export function writesNothing(chordText: string): boolean {
  const parts = chordText.split("+");
  const key = parts.pop() ?? "";
  return (
    /^F\d+$/.test(key) ||
    (/^[A-Z0-9]$/.test(key) &&
      parts.length > 1 &&
      (parts.includes("Ctrl") || parts.includes("Meta")))
  );
}

/** For people: `Ctrl+Shift+K`, on a Mac `⌃⌥⇧⌘` and the key. */
export function shownKey(chordText: string, mac: boolean): string {
  if (!mac) return chordText;
  const signs: Record<string, string> = { Ctrl: "⌃", Alt: "⌥", Shift: "⇧", Meta: "⌘" };
  return chordText
    .split("+")
    .map((part) => signs[part] ?? part)
    .join("");
}

export interface Bindings {
  /** Chord → the command that answers it now. */
  commands: ReadonlyMap<string, CommandRef>;
  /** `commandKey` → its chord, for menus. */
  chords: ReadonlyMap<string, string>;
}

/** The bindings that hold now. The page's own keys stay the page's; of two bindings the more specific `when` wins. */
export function bindings(all: On[], when: When, mac: boolean): Bindings {
  const own = new Set(OWN.map((key) => spelled(key, mac)));
  const commands = new Map<string, CommandRef & { weight: number }>();
  const candidates = all.flatMap(({ id, manifest }) =>
    (manifest.contributes?.keybindings ?? []).map((one) => ({ ...one, extension: id })),
  );
  candidates.sort((a, b) => compare(a.extension, b.extension) || compare(a.command, b.command));
  for (const one of candidates) {
    const at = spelled(one.key, mac);
    if (own.has(at) || !when(one.when)) continue;
    const weight = specificity(one.when);
    const before = commands.get(at);
    if (!before || weight > before.weight)
      commands.set(at, { extension: one.extension, command: one.command, weight });
  }
  const chords = new Map<string, string>();
  for (const [at, ref] of commands)
    if (!chords.has(commandKey(ref))) chords.set(commandKey(ref), at);
  return { commands, chords };
}

/** How much a condition asks for: comparisons that must hold at once; of alternatives, the least. */
export function specificity(expression: string | undefined): number {
  if (expression === undefined) return 0;
  const tokens =
    expression.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\|\||&&|[()]|[^\s()|&"']+/g) ?? [];
  let at = 0;
  const group = (): number => {
    at += 1;
    const inner = either();
    at += 1;
    return inner;
  };
  // An operand, and what follows of its comparison.
  const term = (): number => {
    while (/^!+$/.test(tokens[at] ?? "")) at += 1;
    const weight = tokens[at] === "(" ? group() : 1;
    while (at < tokens.length && !["||", "&&", ")"].includes(tokens[at] ?? "")) {
      if (tokens[at] === "(") group();
      else at += 1;
    }
    return weight;
  };
  const both = (): number => {
    let sum = term();
    while (tokens[at] === "&&") {
      at += 1;
      sum += term();
    }
    return sum;
  };
  const either = (): number => {
    let least = both();
    while (tokens[at] === "||") {
      at += 1;
      least = Math.min(least, both());
    }
    return least;
  };
  return either();
}
