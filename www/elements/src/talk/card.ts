/** What became of a proposal, under the words that came with it. */
import { html, nothing, type TemplateResult } from "lit";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { count, verdictBadge } from "../review/verdict.js";
import { t } from "../text/index.js";
import type { ProposalCard } from "./view.js";

/** States in which it still waits for a person. */
const OPEN: readonly ProposalCard["state"][] = ["clean", "confirm", "stale", "reject"];

/** `beside`: it is in front already; else `show` leads to it. */
export function proposalCard(
  card: ProposalCard,
  beside: boolean,
  show: () => void,
): TemplateResult {
  const size = count(card.files, card.places);
  return html`<div class="pcard">
    <span class="flex"
      >${badge(card)}${card.places ? html`<span class="meta">${size}</span>` : nothing}</span
    ><span class="meta">${words(card, beside)}</span>${
      !beside && OPEN.includes(card.state)
        ? html`<span
            ><button class="btn s quiet" @click=${show}>
              ${icon("diff", "s")}<span>${t("talk.card.show")}</span>
            </button></span
          >`
        : nothing
    }
  </div>`;
}

function badge({ state, at }: ProposalCard): TemplateResult {
  if (state === "applied") {
    const words = t("talk.card.applied", { time: time(at) });
    return html`<span class="badge pass">${icon("check", "s")}<span>${words}</span></span>`;
  }
  if (state !== "discarded" && state !== "undone") return verdictBadge(state);
  return html`<span class="badge"
    >${icon(state === "undone" ? "undo" : "skip", "s")}<span
      >${t(`talk.card.${state}`)}</span
    ></span
  >`;
}

function words(card: ProposalCard, beside: boolean): string {
  const { state, places, taken, stalePath: path, at } = card;
  switch (state) {
    case "applied":
      return places ? t("talk.card.took", { taken, of: places }) : t("talk.card.applied.text");
    case "discarded":
      return t("talk.card.discarded.text");
    case "undone":
      return t("talk.card.undone.text");
    case "stale":
      return t("talk.card.stale", { path, time: time(at) });
    case "reject":
      return t("findings.error.what");
    default:
      return t(beside ? "talk.card.beside" : "talk.card.waits");
  }
}
