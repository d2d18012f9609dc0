/** What goes live: version, health, address, what was live before, and the foot where it is signed. UI.md §13. */
import { html, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { dateTime, when } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { calls, sheets } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../findings/findings.js";
import { counted, found } from "../findings/view.js";
import "../review/approval.js";
import type { Approval } from "../review/approval.js";
import { unread } from "../shell/unread.js";
import { type TextKey, t } from "../text/index.js";
import "./build.js";
import { styles } from "./publish.styles.js";
import type { PublishView } from "./view.js";

const standing: Partial<
  Record<PublishView["state"], { look: string; mark: IconName; words: TextKey }>
> = {
  ready: { look: "pass", mark: "ok", words: "apps.publish.ready" },
  pending: { look: "run", mark: "clock", words: "apps.publish.pending" },
  failed: { look: "fail", mark: "bad", words: "apps.build.failed" },
  blocked: { look: "fail", mark: "bad", words: "apps.publish.blocked" },
  published: { look: "pass", mark: "globe", words: "apps.publish.live" },
};

@customElement("hp-publish")
export class Publish extends HpElement {
  static override styles = [ground, buttons, badges, sheets, calls, styles];
  @property({ attribute: false }) view!: PublishView;
  @query("hp-approval") private approval!: Approval | null;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { view } = this;
    return html`<div class="body scroll" tabindex="0" role="group" aria-label=${t("apps.publish.scrolls")}>
        <div class="in">
          <div>
            <h2 class="title">${t("apps.part.publish")}</h2>
            <p class="meta">${t("apps.publish.text")}</p>
          </div>
          <div class="two">
            <div class="stack">
              ${what(view)}${
                view.state === "failed" || view.state === "pending"
                  ? html`<hp-build .view=${view.build} .kept=${t("apps.publish.kept")}></hp-build>`
                  : nothing
              }${this.#health(view)}
            </div>
            <div class="stack">${this.#address(view)}${this.#history(view)}</div>
          </div>
        </div>
      </div>
      <div class="foot">
        <hp-approval
          bar
          .view=${view.foot}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit(`hp-${event.detail.id}`);
          }}
        ></hp-approval>
      </div>`;
  }

  #health({ health, healthProblem, looking }: PublishView) {
    return html`<section class="sheet" aria-labelledby="h-he" data-testid="hp-health">
      <div class="s-h">
        <h3 id="h-he">${t("apps.health")}</h3>
        <span class="meta">${health?.length ? counted(health) : nothing}</span>
        <button class="btn quiet s end" ?disabled=${looking} @click=${() => this.emit("hp-health")}>
          ${looking ? icon("spin", "s spin") : nothing}<span>${t("apps.health.again")}</span>
        </button>
      </div>
      ${
        healthProblem
          ? html`<div class="s-b">
              ${unread("apps.health.unread", healthProblem, () => this.emit("hp-health"))}
            </div>`
          : nothing
      }
      ${health?.length ? html`<hp-findings .findings=${health.map(found)}></hp-findings>` : nothing}
      ${
        health?.length === 0
          ? html`<p class="s-b">${icon("ok", "s c-pass")} ${t("apps.health.none")}</p>`
          : nothing
      }
      ${
        health === null && !healthProblem
          ? html`<p class="s-b meta">${t(looking ? "apps.health.looking" : "apps.health.later")}</p>`
          : nothing
      }
    </section>`;
  }

  #address({ address, slug, was }: PublishView) {
    return html`<section class="sheet" aria-labelledby="h-ad">
      <div class="s-h"><h3 id="h-ad">${t("apps.address")}</h3></div>
      ${
        address === null
          ? html`<p class="s-b">
              ${t(was ? "apps.address.was" : "apps.address.none", { slug })}
            </p>`
          : html`<div class="s-b addr">
              <a
                class="mono"
                href=${address}
                target="_blank"
                rel="noopener noreferrer"
                data-testid="hp-address"
                translate="no"
                >${address}</a
              ><button
                class="btn s"
                data-testid="hp-copy-address"
                @click=${() => this.emit("hp-copy-address", { address })}
              >
                ${icon("copy", "s")}<span>${t("apps.address.copy")}</span></button
              >
              <p class="meta">${t("apps.address.who")}</p>
            </div>`
      }
    </section>`;
  }

  #history({ history, busy, now }: PublishView) {
    if (!history.length) return nothing;
    return html`<section class="sheet" aria-labelledby="h-pb" data-testid="hp-publications">
      <div class="s-h"><h3 id="h-pb">${t("apps.before")}</h3></div>
      <ul class="rows">
        ${history.map(
          (one) =>
            html`<li title=${dateTime(one.at)}>
              ${icon(one.kind === "unpublish" ? "off" : "globe", "s")}
              <span class="grow"
                ><span class="strong">${named(one)}</span
                ><span class="sub" style="display:block">${when(one.at, now)}</span></span
              >${
                one.live ? html`<span class="badge pass">${t("apps.publish.live")}</span>` : nothing
              }${
                one.back
                  ? html`<button
                      class="btn s"
                      data-testid="hp-rollback"
                      ?disabled=${busy}
                      @click=${() => this.emit("hp-rollback", { revision_id: one.id })}
                    >
                      ${t("apps.rollback", { n: String(one.number ?? "") })}
                    </button>`
                  : nothing
              }
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Mod Enter focuses the signature and never presses it. */
  focusMain(): void {
    this.approval?.focusMain();
  }
}

function named({ kind, number }: PublishView["history"][number]): string {
  return t(`apps.published.${kind}`, { n: String(number ?? "") });
}

function what(view: PublishView) {
  const { draft, print, live, liveAt, now, state } = view;
  const shown = standing[state];
  const goes =
    live === null || live === draft
      ? String(draft)
      : t("apps.publish.replaces", { n: String(draft), live: String(live) });
  const since = liveAt === null ? "" : `, ${when(liveAt, now)}`;
  return html`<section class="sheet" aria-labelledby="h-wh">
    <div class="s-h">
      <h3 id="h-wh">${t("apps.publish.what")}</h3>
      ${
        shown
          ? html`<span class="badge ${shown.look} end" data-testid="hp-publish-state"
              >${icon(shown.mark, "s")}<span>${t(shown.words)}</span></span
            >`
          : nothing
      }
    </div>
    <dl class="tb">
      <div>
        <dt>${t("apps.publish.version")}</dt>
        <dd>${goes}</dd>
      </div>
      <div>
        <dt>${t("apps.publish.print")}</dt>
        <dd class="mono">${print}</dd>
      </div>
      <div>
        <dt>${t("apps.publish.now")}</dt>
        <dd>${live === null ? t("apps.publish.nothing") : `${t("apps.version.n", { n: String(live) })}${since}`}</dd>
      </div>
    </dl>
  </section>`;
}

declare global {
  interface HTMLElementTagNameMap {
    "hp-publish": Publish;
  }
}
