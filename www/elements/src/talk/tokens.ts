/** What stands around the field of a request: files that fit a name, names that fit several, what goes along. */
import { css, html, nothing, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import type { AlongView, SeveralView } from "./view.js";

type Emit = (name: string, detail: object) => void;

/** The files that fit what is being written; the field keeps the focus. */
export function offers(
  name: string,
  paths: readonly string[],
  at: number,
  choose: (path: string) => void,
): TemplateResult {
  return html`<section class="ment" data-testid="hp-mentions" aria-label=${t("composer.files")}>
    <p class="m-t">
      <span>${t("composer.files.fit", { name: `@${name}` })}</span
      ><span aria-hidden="true">${t("composer.files.keys")}</span>
    </p>
    <div role="listbox" id="ment" aria-label=${t("composer.files")} translate="no">
      ${paths.map((path, n) => {
        const cut = path.lastIndexOf("/");
        return html`<div
          role="option"
          id="m-${n}"
          aria-selected=${n === at}
          data-testid="hp-mention"
          @mousedown=${(event: Event) => event.preventDefault()}
          @click=${() => choose(path)}
        >
          <span class="mono">${path.slice(cut + 1)}</span
          ><span class="sub trunc">${path.slice(0, Math.max(0, cut))}</span>
        </div>`;
      })}
    </div>
  </section>`;
}

/** Names that fit several files: each asks which. */
export function undecided(several: readonly SeveralView[], emit: Emit): TemplateResult[] {
  return several.map((one) => {
    const choose = (path: string | null) => emit("hp-mention", { raw: one.raw, path });
    return html`<section class="which" role="group" data-testid="hp-ambiguous" aria-label=${one.raw}>
      <p>${t("composer.several", { name: one.raw, n: one.candidates.length })}</p>
      <p class="acts-r">
        ${one.candidates.map(
          (path) =>
            html`<button type="button" class="btn s" @click=${() => choose(path)}>
              <span class="mono" translate="no">${path}</span>
            </button>`,
        )}<button type="button" class="btn s quiet" @click=${() => choose(null)}>
          ${t("composer.several.leave")}
        </button>
      </p>
    </section>`;
  });
}

/** What goes along with the words, each to be left out; one that fits several places asks which. */
export function along(all: readonly AlongView[], emit: Emit): TemplateResult | typeof nothing {
  if (!all.length) return nothing;
  return html`<div class="picked">
    ${all.map(
      (one) => html`<span class="tokn" data-testid="hp-picked">
        ${icon(one.mark, "s")}<span class="words">${one.label}</span>${
          one.places.length > 1
            ? html`<select
                class="select"
                data-testid="hp-which"
                aria-label=${t("composer.along.where", { name: one.label })}
                aria-invalid=${one.at === null}
                @change=${(event: Event) => {
                  const { value } = event.target as HTMLSelectElement;
                  emit("hp-along-place", { id: one.id, at: value === "" ? null : Number(value) });
                }}
              >
                <option value="" ?selected=${one.at === null}>${t("composer.along.which")}</option>
                ${one.places.map(
                  (place, n) =>
                    html`<option value=${n} ?selected=${n === one.at}>${place}</option>`,
                )}
              </select>`
            : nothing
        }${one.places.length === 1 ? html`<span class="mono" translate="no">${one.places[0]}</span>` : nothing}<button
          type="button"
          class="btn quiet s icon"
          aria-label=${t("composer.along.leave", { name: one.label })}
          @click=${() => emit("hp-along-out", { id: one.id })}
        >
          ${icon("cross", "s")}
        </button>
      </span>`,
    )}
  </div>`;
}

export const tokenStyles = css`
  .ment {
    border: 1px solid var(--line-2);
    border-radius: var(--r-3);
    background: var(--raised);
    box-shadow: var(--e-2);
    overflow: clip;
  }
  .m-t {
    padding: var(--s-3) var(--s-5);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
    background: var(--sunken);
    border-bottom: 1px solid var(--line);
    display: flex;
    justify-content: space-between;
    gap: var(--s-4);
  }
  [role="option"] {
    display: flex;
    align-items: baseline;
    gap: var(--s-4);
    padding: var(--s-3) var(--s-5);
    min-height: var(--row);
    cursor: pointer;
  }
  [role="option"]:hover { background: var(--hover); }
  [role="option"][aria-selected="true"] {
    background: var(--selected);
    box-shadow: inset 2px 0 0 var(--action-fill);
  }
  [role="option"] .mono { font-size: var(--t-meta); font-weight: var(--w-strong); white-space: nowrap; }
  [role="option"] .sub { color: var(--text-2); font-size: var(--t-meta); margin-inline-start: auto; }
  .which {
    border: 1px solid var(--hold-line);
    border-inline-start: 4px solid var(--hold-fill);
    background: var(--hold-tint);
    border-radius: var(--r-2);
    padding: var(--s-4) var(--s-5);
    font-size: var(--t-small);
    line-height: var(--l-small);
    display: grid;
    gap: var(--s-3);
  }
  .acts-r { display: flex; flex-wrap: wrap; gap: var(--s-3); }
  .acts-r .btn { max-width: 100%; overflow-wrap: anywhere; }
  .picked { display: flex; flex-wrap: wrap; gap: var(--s-3); padding: var(--s-4) var(--s-4) 0; min-width: 0; }
  .tokn {
    display: inline-flex;
    align-items: center;
    gap: var(--s-3);
    min-width: 0;
    max-width: 100%;
    padding: 0 0 0 var(--s-3);
    border: 1px solid var(--line-2);
    border-radius: var(--r-2);
    background: var(--sunken);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
  }
  .tokn .words { min-width: 64px; }
  .tokn .words, .tokn .mono { overflow-wrap: anywhere; }
  .tokn .select { flex: 1 1 120px; min-width: 0; font-size: var(--t-meta); }
  .tokn .select[aria-invalid="true"] { border-color: var(--hold); }
`;
