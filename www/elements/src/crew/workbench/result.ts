/** What was applied: over which newer versions, and which files were written. Pure. */
import { html, nothing } from "lit";
import { integer } from "../../base/format.js";
import { visible } from "../../base/unseen.js";
import { t } from "../../text/index.js";
import type { AppliedView, SavedView } from "./view.js";

/** Rows that are shown of what somebody saved. */
const MAX_SAVED = 3;

/** Who saved what and when, newest first, a line each. */
export const savedRows = (
  saved: readonly SavedView[],
  words: "wb.conflict.saved" | "wb.newer.saved",
) =>
  html`<ul>
    ${saved
      .slice(0, MAX_SAVED)
      .map(({ who, what, at }) => html`<li>${t(words, { who, names: what, time: at })}</li>`)}${
      saved.length > MAX_SAVED
        ? html`<li>${t("wb.saved.more", { n: saved.length - MAX_SAVED })}</li>`
        : nothing
    }
  </ul>`;

/** Only where a counter differs. */
export function newer({ newer }: AppliedView) {
  if (!newer.length) return nothing;
  return html`<section class="call hold" data-testid="wb-warnings" aria-labelledby="h-ov">
      <h3 id="h-ov">${t("wb.newer")}</h3>
      <p>${t("wb.newer.text")}</p>
    </section>
    <section class="sheet" aria-labelledby="h-ov2">
      <div class="s-h"><h3 id="h-ov2">${t("wb.newer.what")}</h3></div>
      <table class="t rev3">
        <caption class="vh">
          ${t("wb.newer.caption")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("wb.newer.part")}</th>
            <th scope="col" class="num">${t("wb.newer.saw")}</th>
            <th scope="col" class="num">${t("wb.newer.was")}</th>
            <th scope="col">${t("wb.newer.what_saved")}</th>
          </tr>
        </thead>
        <tbody>
          ${newer.map(
            ({ part, provided, current, saved }) =>
              html`<tr>
                <th scope="row" class="part">${t(`wb.part.${part}`)}</th>
                <td class="num">${integer(provided)}</td>
                <td class="num">${integer(current)}</td>
                <td class="w">${savedRows(saved, "wb.newer.saved")}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;
}

export function applied({ print, files, version, undone }: AppliedView) {
  return html`<section class="sheet" data-testid="wb-applied" aria-labelledby="h-ap">
    <div class="s-h">
      <h3 id="h-ap" tabindex="-1">${t(undone ? "wb.undone" : "wb.applied")}</h3>
      <span class="fp-chip">${print}</span><span class="end meta">${version}</span>
    </div>
    <table class="t rev3">
      <caption class="vh">
        ${t("wb.applied.caption")}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("wb.object")}</th>
          <th scope="col" class="hide-n">${t("wb.file")}</th>
          <th scope="col" class="num">${t("wb.lines")}</th>
        </tr>
      </thead>
      <tbody>
        ${files.map(
          ({ letter, name, file, added, deleted }) =>
            html`<tr>
              <th scope="row">
                <span class="l ${letter}" title=${t(`wb.letter.${letter}`)}>${letter}</span>
                <span translate="no">${visible(name)}</span>
              </th>
              <td class="w mono hide-n" translate="no">${visible(file)}</td>
              <td class="num">
                <span class="c-pass">+${integer(added)}</span>
                <span class=${deleted ? "c-fail" : "quiet"}>−${integer(deleted)}</span>
              </td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}
