/**
 * The installed extensions, from the bar: version, permissions, on or off with the reason, commands, uninstall. UI.md
 * §3.
 */

import type { DeclaredCapability, ExtensionRecord, Json } from "@holdpoint/core/types";
import { css, html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { icon } from "../base/icons.js";
import { sheets, tables } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import { shownAnswer } from "../dock/answer.js";
import type { VerdictView } from "./verdicts.js";
import "./verdicts.js";
import { t } from "../text/index.js";
import { permission, switchedOff } from "../text/said.js";
import "./popover.js";

/** What is asked for: colours, a file, verdicts. */
export type OfferKind = "lens" | "exporter" | "idsValidator";

export interface InstalledView {
  record: ExtensionRecord;
  name: string;
  stored: boolean;
  permissions: Pick<DeclaredCapability, "sentence" | "args">[];
  /** Commands without a button or panel of their own. */
  commands: { id: string; title: string; keys: string }[];
  /** What the last command that was run from here answered. */
  answer: { title: string; value: Json } | null;
  /** Lenses, exporters and checks: what a person can ask it for beside commands. */
  offers: { kind: OfferKind; id: string; name: string }[];
  /** What the last check found. */
  verdicts: { title: string; items: VerdictView[] } | null;
  /** Hosts that it sent requests to since the page was opened. */
  asked: { host: string; n: number }[];
  docks: { id: string; title: string }[];
}

const ASKS = { lens: "ext.colour", exporter: "ext.save", idsValidator: "ext.judge" } as const;

const own = css`
  .one {
    padding: var(--s-5);
    display: grid;
    gap: var(--s-3);
    font-size: var(--t-small);
    line-height: var(--l-small);
  }
  .one + .one { border-top: 1px solid var(--line); }
  .h { display: flex; gap: var(--s-4); align-items: center; flex-wrap: wrap; }
  .none { padding: var(--s-5); }
  .from { padding: var(--s-4) var(--s-5); border-top: 1px solid var(--line); }
  .acts { display: flex; gap: var(--s-3); flex-wrap: wrap; }
  .answer {
    display: grid;
    gap: var(--s-3);
    border-top: 1px solid var(--line);
    padding-top: var(--s-3);
  }
  .answer .scroll { max-height: 240px; overflow: auto; }
  .answer pre { margin: 0; white-space: pre-wrap; }
  kbd { font: inherit; }
  ul.perm { display: grid; gap: var(--s-1); }
`;

@customElement("hp-extensions")
export class Extensions extends HpElement {
  static override styles = [ground, buttons, badges, sheets, tables, own];
  @property({ attribute: false }) items: InstalledView[] = [];
  @property({ attribute: false }) anchor: HTMLElement | null = null;

  protected override get state(): string {
    return this.items.length ? "list" : "empty";
  }

  override render() {
    return html`<hp-popover .heading=${t("ext.title")} .anchor=${this.anchor}
      >${
        this.items.length
          ? this.items.map((item) => this.#item(item))
          : html`<p class="meta none">${t("ext.none")}</p>`
      }
      <p class="from">
        <button class="btn s" data-testid="hp-from-file" @click=${() => this.emit("hp-from-file")}>
          ${icon("file", "s")}<span>${t("hand.open")}</span>
        </button>
      </p></hp-popover
    >`;
  }

  #item(item: InstalledView) {
    const { record, name, stored, permissions, commands, docks, answer, offers, verdicts } = item;
    const { asked } = item;
    const act =
      (action: string, more: object = {}) =>
      () =>
        this.emit("hp-extension", { id: record.id, action, ...more });
    return html`<section class="one" aria-label=${name}>
      <div class="h">
        <h3 class="strong">${name}</h3>
        <span class="meta">${t("ext.version", { version: record.version })}</span>
        <span class="badge ${record.enabled ? "pass" : "plain"}"
          >${icon(record.enabled ? "ok" : "off", "s")}<span
            >${record.enabled ? t("ext.on") : t("ext.off")}</span
          ></span
        >
        ${
          stored
            ? nothing
            : html`<span class="badge plain"
                >${icon("clock", "s")}<span>${t("ext.stored")}</span></span
              >`
        }
      </div>
      ${
        record.enabled || !record.reason
          ? nothing
          : html`<p class="c-fail">${t("ext.off.why", { reason: switchedOff(record) })}</p>`
      }
      <ul class="perm meta">
        ${permissions.map((one) => html`<li>${permission(one)}</li>`)}
        ${asked.map(({ host, n }) => html`<li>${t("ext.asked", { host, n })}</li>`)}
      </ul>
      <div class="acts">
        ${
          record.enabled
            ? docks.map(
                (dock) =>
                  html`<button class="btn s" @click=${act("panel", { dock: dock.id })}>
                    ${icon("panel", "s")}<span>${dock.title}</span>
                  </button>`,
              )
            : nothing
        }
        ${
          record.enabled
            ? commands.map(
                (command) =>
                  html`<button class="btn s" @click=${act("run", { command: command.id })}>
                    <span>${t("ext.run", { title: command.title })}</span
                    >${command.keys ? html`<kbd class="meta">${command.keys}</kbd>` : nothing}
                  </button>`,
              )
            : nothing
        }
        ${
          record.enabled
            ? offers.map(
                (offer) =>
                  html`<button
                    class="btn s"
                    data-offer=${offer.id}
                    @click=${act("offer", { kind: offer.kind, offer: offer.id })}
                  >
                    ${t(ASKS[offer.kind], { title: offer.name })}
                  </button>`,
              )
            : nothing
        }
        <button class="btn s quiet" @click=${act(record.enabled ? "disable" : "enable")}>
          ${t(record.enabled ? "ext.disable" : "ext.enable")}
        </button>
        <button class="btn s quiet" data-testid="hp-change" @click=${act("change")}>
          ${t("hand.change")}
        </button>
        <button class="btn s quiet" data-testid="hp-permissions" @click=${act("permissions")}>
          ${t("hand.permissions")}
        </button>
        <button class="btn s quiet" data-testid="hp-pack" @click=${act("pack")}>
          ${t("hand.pack")}
        </button>
        <button class="btn s quiet danger" data-testid="hp-uninstall" @click=${act("remove")}>
          ${t("ext.remove")}
        </button>
      </div>
      ${
        verdicts
          ? html`<div class="answer" role="status">
              <p class="strong">${verdicts.title}</p>
              <hp-verdicts .items=${verdicts.items}></hp-verdicts>
            </div>`
          : nothing
      }
      ${
        answer && answer.value !== null
          ? html`<div class="answer" role="status">
              <p class="strong">${t("ext.answer", { title: answer.title })}</p>
              ${shownAnswer(answer.value, answer.title)}
            </div>`
          : nothing
      }
    </section>`;
  }
}
