/** A turn that did not deliver: what happened, what was kept, what helps. One wording for each outcome. UI.md §7. */
import { html, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { soon } from "../base/format.js";
import { type IconName, icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import { calls } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import { moreAfter, moreRow, resetsRow } from "../shell/ask-more.js";
import "../shell/copy.js";
import { type TextKey, t } from "../text/index.js";
import { detailed, refusal } from "../text/refusal.js";
import type { OutcomeView } from "./view.js";

interface Way {
  id: "again" | "less" | "new" | "select" | "allow" | "deny";
  mark?: IconName;
}
const AGAIN: Way = { id: "again", mark: "again" };
const ways: Record<OutcomeView["outcome"], Way[]> = {
  timeout: [AGAIN, { id: "less" }],
  upstream_error: [AGAIN],
  context_exceeded: [{ id: "new" }, { id: "less" }],
  truncated: [{ id: "less" }, AGAIN],
  parse_failed: [AGAIN],
  non_patch_ops: [AGAIN],
  incompatible_ops: [{ id: "select" }],
  cancelled: [AGAIN],
  remote_fallback_required: [{ id: "allow" }, { id: "deny" }],
  empty: [],
};

/** Anything else is a failure. */
const looks: Partial<Record<OutcomeView["outcome"], "hold" | "info">> = {
  remote_fallback_required: "hold",
  cancelled: "info",
  empty: "info",
};

@customElement("hp-outcome")
export class OutcomeCall extends HpElement {
  static override styles = [ground, buttons, calls];
  @property({ attribute: false }) view!: OutcomeView;
  @property({ type: Number }) now = 0;

  protected override get state(): string {
    return this.view.outcome;
  }

  override render() {
    const { view } = this;
    const refused = view.outcome === "upstream_error" ? view.error : null;
    const title: TextKey = refused ? "talk.outcome.refused" : `talk.outcome.${view.outcome}`;
    const what = refused ? refusal(refused) : words(view);
    const look = looks[view.outcome] ?? "fail";
    return html`<section
      class="call ${look}"
      role=${look === "fail" ? "alert" : "status"}
      data-testid="hp-outcome"
      aria-labelledby="h-oc"
    >
      <h3 id="h-oc">${t(title)}</h3>
      <dl class="w3">
        <dt>${t("word.what")}</dt>
        <dd>${prose(what)}</dd>
        <dt>${t("word.kept")}</dt>
        <dd>${t("talk.outcome.kept")}</dd>
        ${resetsRow(refused, this.now)}${moreRow(moreAfter(refused))}
      </dl>
      ${
        ways[view.outcome].length
          ? html`<div class="flex wrap acts-c">
              ${ways[view.outcome].map((way, i) => this.#way(way, i === 0))}${
                look === "fail"
                  ? html`<hp-copy
                      .text=${detailed(view.error ?? { code: view.outcome, message: view.message })}
                    ></hp-copy>`
                  : nothing
              }
            </div>`
          : nothing
      }
    </section>`;
  }

  /** Where the edge said when one may ask again, nothing is asked before. */
  #way(way: Way, first: boolean) {
    const wait = way.id === "again" ? Math.ceil((this.view.waits - this.now) / 1_000) : 0;
    return html`<button
        class="btn s ${first && wait <= 0 ? "primary" : ""}"
        data-testid="hp-way-${way.id}"
        ?disabled=${wait > 0}
        aria-describedby=${wait > 0 ? "wait" : nothing}
        @click=${() => this.emit("hp-way", { way: way.id })}
      >
        ${way.mark ? icon(way.mark, "s") : nothing}<span
          >${t(`talk.outcome.${way.id}`)}</span
        ></button
      >${
        wait > 0
          ? html`<span class="meta" id="wait" aria-live="off"
              >${t("talk.outcome.wait", { when: soon(this.view.waits, this.now) })}</span
            >`
          : nothing
      }`;
  }
}

/** A model that proposed nothing may have said why in words. */
function words({ outcome, message, seconds }: OutcomeView): string {
  const own = outcome === "empty" || (outcome === "parse_failed" && message !== "");
  return own ? message : t(`talk.outcome.${outcome}.what`, { n: seconds });
}
