/**
 * The members of an agent beyond who it is and how it works, with the field of each, after the schema of the agents file
 * (crew-package.md §3). A test holds this table beside the schema. Pure.
 *
 * What no schema describes (`conversational_knowledge`, `triggers`, members of others) has no field and is kept.
 */
import type { TextKey } from "../text/index.js";

/** A line, a text of several lines, or a tick. */
export type FieldKind = "line" | "area" | "tick";

export interface MemberField {
  name: string;
  kind: FieldKind;
  label: TextKey;
  /** It must not be empty. */
  needed?: true;
}

/** Of `metadata`, beyond name, title and mark. */
export const ABOUT: readonly MemberField[] = [
  { name: "description", kind: "area", label: "crew.agent.description" },
  { name: "module", kind: "line", label: "crew.agent.module" },
  { name: "sourceId", kind: "line", label: "crew.agent.source" },
];

/** Of the agent itself. */
export const OWN: readonly MemberField[] = [
  { name: "systemPrompt", kind: "area", label: "crew.agent.system" },
  { name: "userPromptTemplate", kind: "area", label: "crew.agent.template" },
  { name: "discussion", kind: "tick", label: "crew.agent.discussion" },
  { name: "webskip", kind: "tick", label: "crew.agent.webskip" },
];

/** The list of texts of the agent. */
export const ACTIONS = "critical_actions";

export type ItemList = "prompts" | "menu";

/** The lists of objects of the agent, by the fields of an item; the first names it. */
export const ITEMS: Readonly<Record<ItemList, readonly MemberField[]>> = {
  prompts: [
    { name: "id", kind: "line", label: "crew.agent.prompt.id", needed: true },
    { name: "description", kind: "line", label: "crew.agent.description" },
    { name: "content", kind: "area", label: "crew.agent.prompt.content", needed: true },
  ],
  menu: [
    { name: "description", kind: "line", label: "crew.agent.description", needed: true },
    { name: "trigger", kind: "line", label: "crew.agent.menu.trigger" },
    { name: "workflow", kind: "line", label: "crew.agent.menu.workflow" },
    { name: "exec", kind: "line", label: "crew.agent.menu.exec" },
    { name: "action", kind: "line", label: "crew.agent.menu.action" },
    { name: "data", kind: "line", label: "crew.agent.menu.data" },
    { name: "validate-workflow", kind: "line", label: "crew.agent.menu.validate" },
    { name: "ide-only", kind: "tick", label: "crew.agent.menu.ide" },
    { name: "web-only", kind: "tick", label: "crew.agent.menu.web" },
  ],
};

/** Members with fields of their own on the form. */
const FORM = new Set(["id", "metadata", "persona", "tools"]);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a member of an agent has a field that can show this value. */
export function hasField(name: string, value: unknown): boolean {
  if (FORM.has(name)) return true;
  const own = OWN.find((one) => one.name === name);
  if (own) return typeof value === (own.kind === "tick" ? "boolean" : "string");
  if (name === ACTIONS) return isTexts(value);
  return Object.hasOwn(ITEMS, name) && Array.isArray(value) && value.every(isObject);
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** The texts of a list that has fields. */
export const textsOf = (value: unknown): readonly string[] => (isTexts(value) ? value : []);

/** The objects of a list that has fields. */
export const objectsOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) && value.every(isObject) ? value : [];

/** An object with another value of a member: what is empty and not needed goes. */
export function withMember(
  all: Readonly<Record<string, unknown>>,
  { name, needed }: MemberField,
  value: string | boolean,
): Record<string, unknown> {
  const { [name]: _, ...rest } = all;
  if ((value === "" || value === false) && !needed) return rest;
  return { ...all, [name]: value };
}

/** An item as it begins: what it needs, still empty. */
export const newItem = (list: ItemList): Record<string, unknown> =>
  Object.fromEntries(ITEMS[list].filter((one) => one.needed).map(({ name }) => [name, ""]));
