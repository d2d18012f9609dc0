/** The questions about what stands on the device, in words. Pure. */
import type { Belongings } from "@holdpoint/core/page";
import { t } from "@holdpoint/elements";
import type { QuestionView } from "@holdpoint/elements/shell/question";
import type { Credential } from "./credential.js";

/** Names of extensions that a question lists. */
const MOST_NAMES = 5;

export type Question =
  | { about: "link" }
  | { about: "unclaimed"; found: Belongings; saved: boolean }
  | { about: "leaving"; found: Belongings };

export function questionView(
  question: Question,
  keys: Pick<Credential, "other" | "token">,
): QuestionView {
  if (question.about === "link") return link(keys);
  const facts = counted(question.found);
  if (question.about === "unclaimed")
    return {
      heading: t("device.unclaimed"),
      text: t("device.unclaimed.text"),
      facts,
      actions: [
        { id: "take", label: t("device.take") },
        { id: "save", label: t("device.save") },
        { id: "erase", label: t("device.erase"), destroys: true },
        { id: "later", label: t("device.later") },
      ],
      note: t(question.saved ? "device.saved" : "device.unclaimed.note"),
    };
  const waits = question.found.waiting.length;
  return {
    heading: t("device.leaving"),
    text: waits ? t("device.leaving.waiting", { n: waits }) : t("device.leaving.text"),
    facts,
    actions: [
      { id: "keep", label: t("device.keep") },
      { id: "erase", label: t("device.leave.erase"), destroys: true },
      { id: "stay", label: t("device.stay") },
    ],
    note: t("device.leaving.note"),
  };
}

/** Which of the two keys: people know their last letters. */
function link({ other, token }: Pick<Credential, "other" | "token">): QuestionView {
  const shown = (key: string): string => `hp_…${key.slice(-4)}`;
  return {
    heading: t("device.link"),
    text: t("device.link.text"),
    facts: [
      { name: t("device.link.now"), value: token ? shown(token) : t("device.link.last") },
      { name: t("device.link.other"), value: other ? shown(other.token) : "" },
    ],
    actions: [
      { id: "stay", label: t("device.link.stay") },
      { id: "switch", label: t("device.link.switch") },
    ],
    note: t("device.link.note"),
  };
}

function counted({ extensions, waiting, changes, drafts }: Belongings): QuestionView["facts"] {
  const names = (list: string[]): string => {
    const rest = list.length - MOST_NAMES;
    const shown = list.slice(0, MOST_NAMES).join(t("app.comma"));
    return rest > 0 ? `${shown}${t("app.comma")}${t("device.more", { n: rest })}` : shown;
  };
  const facts = [
    {
      name: t("device.extensions", { n: extensions.length }),
      value: names(extensions),
      of: extensions.length,
    },
    { name: t("device.waiting", { n: waiting.length }), value: names(waiting), of: waiting.length },
    { name: t("device.changes"), value: String(changes), of: changes },
    { name: t("device.drafts"), value: String(drafts), of: drafts },
  ];
  return facts.filter(({ of }) => of > 0).map(({ name, value }) => ({ name, value }));
}
