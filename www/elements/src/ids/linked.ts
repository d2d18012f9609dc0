/** A number or a name that selects its elements: pressed while just these are selected. */
import { html, nothing } from "lit";
import { t } from "../text/index.js";

/** `what` says of which elements, for whoever hears the link alone. */
export function linked(
  words: string,
  ids: readonly number[],
  selected: readonly number[],
  select: (ids: number[]) => void,
  what = "",
) {
  if (ids.length === 0) return html`<span>${words}</span>`;
  return html`<button
    class="vlink"
    aria-pressed=${isSame(ids, selected)}
    aria-label=${what ? `${words}: ${what}` : nothing}
    title=${what ? t("ids.select", { n: ids.length, what }) : nothing}
    @click=${() => select([...ids])}
  >
    ${words}
  </button>`;
}

export function isSame(ids: readonly number[], selected: readonly number[]): boolean {
  if (ids.length !== selected.length) return false;
  const all = new Set(selected);
  return ids.every((id) => all.has(id));
}
