/**
 * What happened, newest first: two ticked to compare, one brought in front, undo and redo where they lead somewhere, a
 * name for the version of now. States: loading, failed, empty, list. Space ticks. UI.md §3.
 */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { buttons, forms, ground } from "../base/styles.js";
import { unread } from "../shell/unread.js";
import { t } from "../text/index.js";
import { styles } from "./history.styles.js";
import type { EntriesView, Entry } from "./view.js";

@customElement("hp-history")
export class History extends HpElement {
  static override styles = [ground, buttons, forms, calls, sheets, styles];
  @property({ attribute: false }) view!: EntriesView;
  @query("#name") private name!: HTMLInputElement;

  protected override get state(): string {
    const { state, groups } = this.view;
    if (state !== "ready") return state;
    return groups.some((group) => group.entries.length) ? "list" : "empty";
  }

  override render() {
    const { keep, compare, more, groups, note } = this.view;
    const listed = this.state === "list";
    return html`${keep ? this.#keep(keep.off) : nothing}
      <div
        class="body"
        tabindex=${keep ? 0 : nothing}
        role=${keep ? "group" : nothing}
        aria-label=${keep ? t("history.scrolls") : nothing}
      >
        ${listed ? groups.map((group) => this.#group(group)) : this.#instead()}
        ${listed && note ? html`<p class="meta quiet note">${t(note)}</p>` : nothing}
        ${
          more
            ? html`<button class="btn s more" @click=${() => this.emit("hp-more-entries")}>
                ${t("history.more")}
              </button>`
            : nothing
        }
      </div>
      ${compare ? this.#compare(compare) : nothing}`;
  }

  /** The field in which the version of now gets a name. */
  #keep(off: string) {
    return html`<form class="keep" @submit=${this.#kept}>
        <label class="vh" for="name">${t("history.name")}</label
        ><input
          class="input"
          id="name"
          data-testid="hp-checkpoint-name"
          maxlength="200"
          placeholder=${t("history.name")}
        /><button
          class="btn s"
          data-testid="hp-checkpoint"
          ?disabled=${off !== ""}
          aria-describedby=${off ? "keep-why" : nothing}
        >
          ${t("history.keep")}
        </button>
      </form>
      ${off ? html`<p class="meta keep-why" id="keep-why">${off}</p>` : nothing}`;
  }

  #kept(event: Event): void {
    event.preventDefault();
    const title = this.name.value.trim();
    if (!title) {
      this.name.focus();
      return;
    }
    this.emit("hp-keep", { title });
    this.name.value = "";
  }

  /** In the place of the list: it comes, it failed, or there is none. */
  #instead() {
    const { state, offline, problem, none } = this.view;
    if (state === "loading")
      return html`<p class="meta instead late">
        ${icon("spin", "s spin")} ${t("history.loading")}
      </p>`;
    if (state === "ready") return html`<p class="meta instead">${t(none)}</p>`;
    if (offline) return html`<p class="meta instead">${t("history.offline")}</p>`;
    return html`<div class="instead">
      ${unread("history.unread", problem, () => this.emit("hp-history-again"))}
    </div>`;
  }

  #group({ title, entries }: EntriesView["groups"][number]) {
    if (!entries.length) return nothing;
    return html`${title ? html`<h3 class="group-h">${title}</h3>` : nothing}
      <ol class="entries">
        ${repeat(
          entries,
          (entry) => entry.id,
          (entry) => this.#entry(entry),
        )}
      </ol>`;
  }

  #entry(entry: Entry) {
    const { chosen, ticked } = this.view;
    const front = chosen === entry.id || (entry.row && ticked.includes(entry.id));
    return html`<li class=${front ? "sel" : ""}>
      ${this.#tick(entry)}${entry.row ? this.#row(entry) : this.#plain(entry)}
    </li>`;
  }

  #tick({ id, tick }: Entry) {
    if (!tick) return html`<span class="check-no"></span>`;
    return html`<input
      class="check"
      type="checkbox"
      data-tick=${id}
      .checked=${this.view.ticked.includes(id)}
      aria-label=${tick}
      @change=${() => this.#ticked(id)}
    />`;
  }

  /** Two at most: a third takes the place of the first. */
  #ticked(id: string): void {
    const { ticked } = this.view;
    const ids = ticked.includes(id)
      ? ticked.filter((other) => other !== id)
      : [...ticked.slice(-1), id];
    this.emit("hp-chosen", { ids });
  }

  /** The whole row is the button. */
  #row(entry: Entry) {
    return html`<button
      class="rv"
      aria-pressed=${this.view.chosen === entry.id}
      data-version=${entry.id}
      title=${entry.full}
      @click=${() => this.#open(entry.id)}
    >
      ${lead(entry)}${words(entry)}
    </button>`;
  }

  #plain(entry: Entry) {
    return html`<div class="rv">${lead(entry)}${words(entry)}</div>
      <div class="acts">
        ${entry.undo ? this.#step(entry, entry.undo) : nothing}<button
          class="btn quiet s"
          @click=${() => this.#open(entry.id)}
        >
          ${t("history.open")}<span class="vh"> ${entry.title}</span>
        </button>
      </div>
      ${entry.blocked ? html`<p class="sub why" id="w-${entry.id}">${entry.blocked}</p>` : nothing}`;
  }

  #step({ id, blocked }: Entry, step: "undo" | "redo") {
    return html`<button
      class="btn s"
      data-testid="hp-${step}"
      ?disabled=${blocked !== ""}
      aria-describedby=${blocked ? `w-${id}` : nothing}
      @click=${() => this.emit(`hp-${step}`, { id })}
    >
      ${icon(step, "s")}<span>${t(`history.${step}`)}</span>
    </button>`;
  }

  #open(id: string): void {
    this.emit("hp-open-entry", { id });
  }

  #compare({ label, off }: NonNullable<EntriesView["compare"]>) {
    return html`<div class="foot">
      <button
        class="btn ${off ? "" : "primary"}"
        data-testid="hp-compare"
        ?disabled=${off !== ""}
        aria-describedby=${off ? "two-why" : nothing}
        @click=${() => this.emit("hp-compare", { ids: this.view.ticked })}
      >
        ${icon("diff", "s")}<span>${label}</span></button
      >${off ? html`<p class="meta" id="two-why">${off}</p>` : nothing}
    </div>`;
  }
}

const lead = ({ lead, mark }: Entry) =>
  html`<span class="lead">${lead}</span>${mark ? icon(mark.icon, mark.look) : nothing}`;

function words({ title, subs, signature, signed, print }: Entry) {
  const fingerprint = print ? html`<span class="fp-chip">${print}</span>` : nothing;
  const mark = signed ? icon("check", "s") : nothing;
  return html`<span class="words"
    ><span class="strong">${title}</span>${subs
      .filter(Boolean)
      .map((sub) => html`<span class="sub">${sub}</span>`)}${
      signature
        ? html`<span class="sub sg"
            ><span class=${signed ? "c-pass" : ""}>${mark} ${signature}</span>${fingerprint}</span
          >`
        : fingerprint
    }</span
  >`;
}
