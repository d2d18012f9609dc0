/**
 * What stands on the device, and whose it is: the questions that are asked before anything of it is shown or goes.
 *
 * Invariants: the key of another person than whose store is open is used only after a yes; what is nobody's is taken
 * over, saved or erased by a person, and never by itself.
 */
import type { ErrorShape } from "@holdpoint/core/types";
import type { QuestionView } from "@holdpoint/elements/shell/question";
import { belongings, erase, exported, takeOver, unclaimed } from "./core.js";
import type { Credential } from "./credential.js";
import { type Question, questionView } from "./device-view.js";

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
    return this.#question && questionView(this.#question, this.credential);
  }
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1_000);
}
