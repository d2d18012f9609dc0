/**
 * The keys of the account: made, changed, replaced and revoked by whoever may.
 *
 * Invariant: the text of a key is held here alone, until its maker has put it away; nothing else keeps it.
 */

import type { ErrorShape } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { KeyChange, KeyDraft, KeyForm, KeysView } from "@holdpoint/elements/usage/view";
import { type Around, tried } from "./around.js";
import { keyLines, type Labels } from "./lines.js";
import { Part } from "./part.js";
import type { CreatedKey, KeyRow } from "./wire.js";

export class KeyRing {
  readonly part: Part<KeyRow[]>;
  #form: KeyForm | null = null;
  #sending = false;
  #refused: ErrorShape | null = null;
  #once: KeysView["once"] = null;

  constructor(private readonly around: Around) {
    this.part = new Part(around);
  }

  load = (): Promise<void> => this.part.load(() => this.around.api.keys());

  get labels(): Labels {
    return new Map(this.part.value?.map(({ id, label }) => [id, label]));
  }

  /** Opens a form, or closes it. */
  form(form: KeyForm | null): void {
    this.#form = form;
    this.#refused = null;
    this.around.changed();
  }

  /** Opens what changes or replaces a key. */
  about(kind: "edit" | "replace", id: string): void {
    const key = this.#row(id);
    if (key) this.form({ kind, key });
  }

  /** Its maker has the key: it is forgotten. */
  kept(): void {
    this.#once = null;
    this.around.changed();
  }

  create = (key: KeyDraft): Promise<void> => this.#make(() => this.around.api.createKey(key));

  replace = (id: string, grace: number): Promise<void> =>
    this.#make(() => this.around.api.rotateKey(id, grace));

  /** Where nothing is another, nothing is asked. */
  change(id: string, change: KeyChange): Promise<void> {
    return this.#sent(async () => {
      if (Object.keys(change).length === 0) return;
      const row = await this.around.api.changeKey(id, change);
      this.#put(row);
      this.around.toast(t("usage.key.changed", { name: row.label }));
    });
  }

  #make(ask: () => Promise<CreatedKey>): Promise<void> {
    return this.#sent(async () => {
      const { key, ...row } = await ask();
      this.#put(row);
      this.#once = { label: row.label, key, previous: row.previous_until };
    });
  }

  /** What a form asks for; it closes when that is done. */
  async #sent(act: () => Promise<void>): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    this.#refused = null;
    this.around.changed();
    this.#refused = await tried(this.around, act);
    if (!this.#refused) this.#form = null;
    this.#sending = false;
    this.around.changed();
  }

  async revoke(id: string, opener: HTMLElement | null): Promise<void> {
    const row = this.#row(id);
    if (!row) return;
    const answer = await this.around.ask(
      {
        heading: t("usage.revoke.title", { name: row.label }),
        text: t("usage.revoke.text"),
        facts: [
          { name: t("usage.one.key"), value: row.display },
          { name: t("usage.belongs"), value: row.user_id },
        ],
        actions: [
          { id: "stay", label: t("usage.revoke.stay") },
          { id: "revoke", label: t("usage.revoke.now"), destroys: true },
        ],
        note: "",
      },
      opener,
    );
    if (answer !== "revoke") return;
    const error = await tried(this.around, async () => {
      this.#put(await this.around.api.revokeKey(id));
      this.around.toast(t("usage.revoked", { name: row.label }));
    });
    if (error) this.around.refused(error);
  }

  #row = (id: string): KeyRow | undefined => this.part.value?.find((row) => row.id === id);

  #put(row: KeyRow): void {
    const others = (this.part.value ?? []).filter(({ id }) => id !== row.id);
    this.part.set([...others, row]);
  }

  view(people: string[], now: number): KeysView {
    return {
      ...this.part.view,
      lines: keyLines(this.part.value ?? []),
      form: this.#form,
      people,
      sending: this.#sending,
      refused: this.#refused,
      once: this.#once,
      now,
      offline: !this.around.online(),
    };
  }
}
