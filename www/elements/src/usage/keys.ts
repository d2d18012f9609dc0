/**
 * The keys of an account: whose, what each may, how it stands; a new one, another secret, an end. UI.md §3 `hp-keys`.
 *
 * Invariant: the text of a key is drawn in `hp-key-once` alone, while its maker has not put it away.
 */
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { HpElement } from "../base/element.js";
import { dateTime, dayAgo, listed, until } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { calls, sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { has, t } from "../text/index.js";
import "./key-once.js";
import { closed } from "./closing.js";
import { form } from "./form.js";
import { keyForm } from "./key-form.js";
import { around } from "./part.js";
import { parts } from "./usage.styles.js";
import type { KeyLine, KeysView } from "./view.js";

const ACTS = ["edit", "replace", "revoke"] as const;
/** A key whose end is nearer says so. */
const SOON_MS = 14 * 86_400_000;

const own = css`
  .keys td, .keys th { white-space: nowrap; }
  .keys .nm { white-space: normal; min-width: 120px; }
  .keys .sub {
    display: block;
    font-weight: var(--w-normal);
    color: var(--text-2);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .keys td.acts { text-align: end; }
  .keys tr.over { color: var(--text-2); }
  .keys td { padding-block: var(--s-2); }
  @media (max-width: 767px) {
    .keys td, .keys th { white-space: normal; }
    .keys tbody th, .keys td { padding-block: var(--s-4); }
  }
`;

@customElement("hp-keys")
export class Keys extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, tables, parts, own];
  @property({ attribute: false }) view!: KeysView;

  protected override get state(): string {
    if (this.view.once) return "once";
    return this.view.form ? "form" : this.view.state;
  }

  override render() {
    const { lines, state, form: open, once, offline } = this.view;
    const spec = once ? null : keyForm(this.view, this.#tell);
    return html`<section class="sheet" aria-labelledby="h-k">
      <div class="s-h">
        <h2 id="h-k">${t("usage.keys")}</h2>
        <button
          class="btn s end"
          data-testid="hp-key-new"
          ?disabled=${offline || open !== null || once !== null}
          @click=${() => this.emit("hp-key", { action: "new" })}
        >
          ${icon("plus", "s")}<span>${t("usage.key.new")}</span>
        </button>
      </div>
      ${around(this.view, t("usage.part.keys"), lines.length > 0, () =>
        this.emit("hp-usage-again", { part: "keys" }),
      )}
      ${once ? html`<hp-key-once .view=${once}></hp-key-once>` : nothing}
      ${spec ? form(spec) : nothing}
      ${lines.length ? this.#table() : nothing}
      ${!lines.length && state === "ready" ? html`<p class="none">${t("usage.keys.none")}</p>` : nothing}
    </section>`;
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    const before = changed.get("view") as KeysView | undefined;
    if (before) closed(this, isOpen(before), isOpen(this.view));
  }

  #tell = (type: string, detail?: object): void => this.emit(type, detail);

  #table() {
    return html`<div
      class="scroll"
      tabindex="0"
      role="group"
      aria-label=${t("app.scrolls", { name: t("usage.keys") })}
    >
      <table class="t keys">
        <caption class="vh">
          ${t("usage.keys")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("usage.name")}</th>
            <th scope="col" class="hide-n">${t("usage.one.key")}</th>
            <th scope="col" class="hide-n">${t("usage.belongs")}</th>
            <th scope="col" class="hide-n">${t("usage.used")}</th>
            <th scope="col" class="hide-n">${t("usage.may")}</th>
            <th scope="col">${t("usage.state")}</th>
            <th scope="col"><span class="vh">${t("usage.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            this.view.lines,
            (line) => line.id,
            (line) => this.#row(line),
          )}
        </tbody>
      </table>
    </div>`;
  }

  #row(line: KeyLine) {
    const { now } = this.view;
    const over = line.revoked !== null;
    return html`<tr class=${over ? "over" : ""}>
      <th scope="row" class="nm">
        <span translate="no">${line.label}</span
        ><span class="sub only-n"><code>${line.display}</code> · ${line.user}</span>
      </th>
      <td class="hide-n"><code>${line.display}</code></td>
      <td class="hide-n"><span translate="no">${line.user}</span></td>
      <td class="hide-n">${line.used === null ? t("usage.used.never") : dayAgo(line.used, now)}</td>
      <td class="hide-n">${may(line)}</td>
      <td>${this.#standing(line)}</td>
      <td class="acts">${over ? nothing : this.#acts(line)}</td>
    </tr>`;
  }

  #standing({ expires, previous, revoked }: KeyLine) {
    const { now } = this.view;
    const badge = (look: string, mark: IconName, text: string) =>
      html`<span class="badge ${look}">${icon(mark, "s")}<span>${text}</span></span>`;
    if (revoked !== null) return badge("plain", "lock", t("usage.key.revoked"));
    if (expires !== null && expires <= now) return badge("fail", "clock", t("usage.key.expired"));
    const old =
      previous !== null && previous > now
        ? html`<span class="sub">${t("usage.key.old", { until: dateTime(previous) })}</span>`
        : nothing;
    const soon = expires !== null && expires - now < SOON_MS;
    if (expires !== null && soon)
      return html`${badge("hold", "clock", t("usage.key.expires", { when: until(expires, now) }))}${old}`;
    return html`${badge("pass", "ok", t("usage.key.active"))}${
      expires === null
        ? nothing
        : html`<span class="sub"
            >${t("usage.key.expires", { when: until(expires, now) })}</span
          >`
    }${old}`;
  }

  #acts(line: KeyLine) {
    const { offline, form, once } = this.view;
    const off = offline || form !== null || once !== null;
    const act = (action: string) => (event: Event) =>
      this.emit("hp-key", { action, id: line.id, opener: event.currentTarget });
    return html`<span class="hide-n"
        >${ACTS.map(
          (action) =>
            html`<button
              class="btn quiet s ${action === "revoke" ? "danger" : ""}"
              data-testid="hp-key-${action}"
              ?disabled=${off}
              aria-label=${t(`usage.key.${action}.of`, { name: line.label })}
              @click=${act(action)}
            >
              ${t(`usage.key.${action}`)}
            </button>`,
        )}</span
      ><button
        class="btn quiet icon only-n"
        data-testid="hp-key-menu"
        ?disabled=${off}
        aria-haspopup="menu"
        aria-label=${t("usage.key.actions", { name: line.label })}
        @click=${act("menu")}
      >
        ${icon("more")}
      </button>`;
  }
}

/** Scopes in words; the models, where they are not all. */
function may({ scopes, models }: KeyLine): string {
  const words = scopes.map((scope) => {
    const key = `usage.scope.${scope}`;
    return has(key) ? t(key) : scope;
  });
  const text = listed(words);
  return models.length ? t("usage.may.models", { scopes: text, models: listed(models) }) : text;
}

/** Whether something is asked or shown above the rows. */
const isOpen = (view: KeysView): boolean => view.form !== null || view.once !== null;
