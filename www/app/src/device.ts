/**
 * What stands on the device, and whose it is: the questions that are asked before anything of it is shown or goes.
 *
 * Invariants: the key of another person than whose store is open is used only after a yes; what is nobody's is taken
 * over, saved or erased by a person, and never by itself.
 */
import type { ErrorShape } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { QuestionView } from "@holdpoint/elements/shell/question";
import { type Belongings, belongings, erase, exported, takeOver, unclaimed } from "./core.js";
import type { Credential } from "./credential.js";

/** Names of extensions that a question lists. */
const MOST_NAMES = 5;

type Question =
  | { about: "link" }
  | { about: "unclaimed"; found: Belongings; saved: boolean }
  | { about: "leaving"; found: Belongings };

interface Around {
  changed(): void;
  /** Another store is opened: the page begins anew. */
  again(): void;
  saved(file: string): void;
  refused(error: ErrorShape): void;
}

export class Device {
  #question: Question | null = null;

  constructor(
    private readonly credential: Credential,
    private readonly around: Around,
  ) {
    if (credential.other) this.#question = { about: "link" };
  }

  /** A key of the address turned out to be another person's. */
  link(): void {
    this.#ask({ about: "link" });
  }

  /** Looks for what is nobody's, where somebody is there who may take it. */
  async look(): Promise<void> {
    if (this.#question || !this.credential.token) return;
    const found = await unclaimed();
    if (found && !this.#question) this.#ask({ about: "unclaimed", found, saved: false });
  }

  /** Somebody wants to sign out. */
  async leave(): Promise<void> {
    const found = await belongings(this.credential.principal);
    this.#ask({ about: "leaving", found });
  }

  #ask(question: Question | null): void {
    this.#question = question;
    this.around.changed();
  }

  async answer(id: string): Promise<void> {
    const question = this.#question;
    if (!question) return;
    try {
      if (question.about === "link") await this.#linked(id === "switch");
      else if (question.about === "unclaimed") await this.#claimed(question, id);
      else await this.#left(question, id);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.around.refused({ code: "NOT_READY", message });
    }
  }

  async #linked(goes: boolean): Promise<void> {
    if (goes) {
      this.credential.switch();
      return this.around.again();
    }
    this.credential.other = null;
    this.#ask(null);
    await this.look();
  }

  async #claimed(question: Question & { about: "unclaimed" }, id: string): Promise<void> {
    const { store } = question.found;
    const { principal } = this.credential;
    if (id === "take" && principal !== null) {
      await takeOver(store, principal);
      return this.around.again();
    }
    if (id === "save") {
      const file = "holdpoint-device.json";
      save(file, JSON.stringify(await exported(store), null, 2));
      this.around.saved(file);
      return this.#ask({ ...question, saved: true });
    }
    if (id === "erase") await erase(store);
    this.#ask(null);
    if (id === "erase") await this.look();
  }

  async #left({ found }: Question & { about: "leaving" }, id: string): Promise<void> {
    if (id === "stay") return this.#ask(null);
    this.credential.signOut();
    if (id === "erase") await erase(found.store);
    this.around.again();
  }

  /** The question as it is drawn; null where none is asked. */
  get view(): QuestionView | null {
    const question = this.#question;
    if (!question) return null;
    if (question.about === "link") return link(this.credential);
    const facts = counted(question.found);
    if (question.about === "unclaimed") {
      const save = { id: "save", label: t("device.save") };
      return {
        heading: t("device.unclaimed"),
        text: t("device.unclaimed.text"),
        facts,
        actions: [
          { id: "take", label: t("device.take") },
          save,
          { id: "erase", label: t("device.erase"), destroys: true },
          { id: "later", label: t("device.later") },
        ],
        note: t(question.saved ? "device.saved" : "device.unclaimed.note"),
      };
    }
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
}

/** Which of the two keys: people know their last letters. */
function link({ other, token }: Credential): QuestionView {
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

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
