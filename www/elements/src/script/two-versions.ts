/** The same text was changed here and elsewhere: theirs or mine, place by place, then saved together. UI.md §6. */
import { html } from "lit";
import { customElement, property } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import { time } from "../base/format.js";
import { icon } from "../base/icons.js";
import { calls, heads } from "../base/sheets.js";
import { badges, buttons, ground } from "../base/styles.js";
import "../review/approval.js";
import type { FootAction, FootView } from "../review/approval.js";
import { t } from "../text/index.js";
import "../diff/diff.js";
import { placesOf } from "../diff/view.js";
import { count } from "../review/verdict.js";
import { panel } from "./proposal.styles.js";
import type { TwoVersionsView } from "./view.js";

@customElement("hp-two-versions")
export class TwoVersions extends HpElement {
  static override styles = [ground, buttons, badges, calls, heads, panel];
  @property({ attribute: false }) view!: TwoVersionsView;

  override render() {
    const { view } = this;
    const of = placesOf(view.files);
    const decided = view.files.reduce(
      (sum, file) =>
        sum +
        file.diff.hunks.filter((hunk) => view.decided[file.path]?.[hunk.id] !== undefined).length,
      0,
    );
    return html`<div class="scr">
        <div class="p-head">
          <h2>${t("script.two")}</h2>
          <span class="badge hold">${icon("clock", "s")}<span>${t("script.two.badge")}</span></span
          ><span class="meta hide-n trunc">${count(view.files.length, of)}</span>
        </div>
        <div class="body" tabindex="0" role="group" aria-label=${t("script.two.scrolls")}>
          <section class="call hold" role="alert" aria-labelledby="h-tv">
            <h3 id="h-tv">${t("script.two.title", { time: time(view.at) })}</h3>
            <dl class="w3">
              <dt>${t("word.what")}</dt>
              <dd>${t("script.two.what", { since: time(view.since) })}</dd>
              <dt>${t("word.kept")}</dt>
              <dd>${t("script.two.kept")}</dd>
            </dl>
          </section>
          <hp-diff
            .files=${view.files}
            .layout=${view.layout}
            choosing="mine"
            ?disabled=${view.saving}
            .decided=${view.decided}
            .left=${t("script.two.theirs.column", { time: time(view.at) })}
            .right=${t("script.two.mine.column")}
          ></hp-diff>
        </div>
      </div>
      <div class="foot">
        <hp-approval
          bar
          .view=${footOf(view, of - decided)}
          @hp-act=${(event: CustomEvent<{ id: string }>) => {
            event.stopPropagation();
            this.emit("hp-two", { way: event.detail.id });
          }}
        ></hp-approval>
      </div>`;
  }
}

/** `open`: the places that nobody decided yet. */
function footOf({ saving, print }: TwoVersionsView, open: number): FootView {
  const off = open > 0 || saving;
  const way = (id: "copy" | "take"): FootAction => ({
    id,
    label: t(`script.two.${id}`),
    testid: `hp-two-${id}`,
    off: saving,
    alt: true,
  });
  return {
    state: stateOf(saving, off),
    reason: off ? t("script.two.open", { n: open }) : t("script.two.done"),
    reasonIcon: off ? "lock" : "ok",
    reasonLook: off ? "c-hold" : "c-pass",
    before: [way("copy"), way("take")],
    main: {
      id: "save",
      label: t("script.two.save"),
      look: "primary",
      testid: "hp-save-together",
      mono: true,
      print,
    },
  };
}

function stateOf(saving: boolean, off: boolean): FootView["state"] {
  if (saving) return "sending";
  return off ? "closed" : "plain";
}
