/** What a key is for and may: of a new one, and changed later; and how long the secret before a replaced one works. */
import { until } from "../base/format.js";
import { t } from "../text/index.js";
import {
  type Choice,
  choices,
  type Field,
  type FormSpec,
  field,
  needed,
  type Values,
} from "./form.js";
import {
  CLAMPS,
  type KeyChange,
  type KeyDraft,
  type KeysView,
  SCOPES,
  type Scope,
} from "./view.js";

const DAY_MS = 86_400_000;
/** Days until a key ends; 0: never. */
const ENDS = [0, 30, 90, 365];
/** The end stays as it is. */
const KEEP = "";
/** Seconds for which the secret before still works. */
const GRACES = [0, 3_600, 86_400, 604_800] as const;
/** What a key of a person usually may. */
const USUAL: readonly Scope[] = ["llm", "usage"];

export function keyForm(
  { form, people, sending, refused: problem, now }: KeysView,
  emit: (type: string, detail?: object) => void,
): FormSpec | null {
  if (!form) return null;
  const close = () => emit("hp-key", { action: "close" });
  const both = { test: "hp-key-make", sending, problem, close };
  if (form.kind === "new")
    return {
      ...both,
      id: "new",
      heading: t("usage.key.new"),
      fields: () => fresh(people),
      send: t("usage.key.make"),
      note: t("usage.key.once"),
      done: (values) => emit("hp-key-create", { key: draft(values, now) }),
    };
  const { id, label: name } = form.key;
  if (form.kind === "replace")
    return {
      ...both,
      id: `replace ${id}`,
      heading: t("usage.key.replace.of", { name }),
      fields: () => [grace()],
      send: t("usage.key.replace.now"),
      note: t("usage.key.once"),
      done: ({ grace = "0" }) => emit("hp-key-replace", { id, grace: Number(grace) }),
    };
  return {
    ...both,
    id: `edit ${id}`,
    heading: t("usage.key.edit.of", { name }),
    fields: () => common(form.key, [kept(form.key.expires_at, now), ...ends()], KEEP),
    send: t("usage.key.save"),
    note: t("usage.key.edit.note"),
    done: (values) => emit("hp-key-change", { id, change: changed(form.key, values, now) }),
  };
}

const ends = (): Choice[] =>
  choices(ENDS, (n) => (n === 0 ? t("usage.key.ends.never") : t("usage.key.ends.days", { n })));

function kept(at: number | null, now: number): Choice {
  const later = at !== null && at > now;
  const over = t(at === null ? "usage.key.ends.never" : "usage.key.expired");
  return {
    value: KEEP,
    label: t("usage.key.ends.keep", { when: later ? until(at, now) : over }),
  };
}

/** What a key has from its beginning, and can be changed; `after`: what stands behind its name. */
const common = (key: KeyChange, until: Choice[], end: string, after: Field[] = []): Field[] => [
  field("text", "label", t("usage.name"), {
    ...{ value: key.label ?? "", most: 128, test: "hp-key-label" },
    wrong: needed("usage.wrong.label"),
  }),
  ...after,
  field("choice", "ends", t("usage.key.ends"), {
    ...{ choices: until, value: end, test: "hp-key-ends" },
  }),
  field("text", "models", t("usage.key.models"), {
    ...{ value: listing(key.models), how: t("usage.key.models.how") },
  }),
  field("text", "origins", t("usage.key.origins"), {
    ...{ value: listing(key.origins), how: t("usage.key.origins.how"), test: "hp-key-origins" },
    wrong: (value) => (words(value).every(isOrigin) ? "" : t("usage.wrong.origins")),
  }),
  field("choice", "clamp", t("usage.key.clamp"), {
    choices: choices(CLAMPS, (clamp) => t(`usage.clamp.${clamp}`)),
    ...{ value: key.clamp ?? "allowed", how: t("usage.key.clamp.how"), test: "hp-key-clamp" },
  }),
];

const fresh = (people: readonly string[]): Field[] => [
  ...common({}, ends(), "90", [
    field("text", "user", t("usage.belongs"), {
      ...{ most: 128, choices: choices(people), test: "hp-key-user" },
      wrong: needed("usage.wrong.user"),
    }),
  ]),
  field("ticks", "scopes", t("usage.may"), {
    choices: choices(SCOPES, (scope) => t(`usage.scope.${scope}`)),
    ...{ value: USUAL.join(" "), wrong: needed("usage.wrong.scopes") },
  }),
];

const grace = (): Field =>
  field("choice", "grace", t("usage.key.grace"), {
    ...{ choices: choices(GRACES, (seconds) => t(`usage.grace.${seconds}`)), value: "86400" },
  });

const listing = (items: readonly string[] = []): string => items.join(", ");
const words = (text = ""): string[] => text.split(/[\s,;]+/).filter((one) => one !== "");

/** A page as a browser names it: scheme, host, port, and nothing behind. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const said = (values: Values, now: number) => ({
  label: values.label ?? "",
  models: words(values.models),
  origins: words(values.origins),
  clamp: values.clamp as (typeof CLAMPS)[number],
  expires_at: Number(values.ends) === 0 ? null : now + Number(values.ends) * DAY_MS,
});

const draft = (values: Values, now: number): KeyDraft => ({
  ...said(values, now),
  user_id: values.user ?? "",
  scopes: (values.scopes ?? "").split(" ") as Scope[],
});

/** Only what is another now: what is absent stays. */
function changed(key: KeyChange, values: Values, now: number): KeyChange {
  const { expires_at, ...rest } = said(values, now);
  const next: KeyChange = values.ends === KEEP ? rest : { ...rest, expires_at };
  const same = (name: string): boolean =>
    JSON.stringify(next[name as keyof KeyChange]) === JSON.stringify(key[name as keyof KeyChange]);
  return Object.fromEntries(Object.entries(next).filter(([name]) => !same(name)));
}
