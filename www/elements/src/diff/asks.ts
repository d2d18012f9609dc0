/** What a model can be asked of a file or a place that differs; the request itself is asked elsewhere. */
import { html, nothing } from "lit";
import { visible } from "../base/unseen.js";
import { t } from "../text/index.js";
import type { Asking } from "./view.js";

/** `id`: of the place; null for the whole file. */
export function asked(
  asks: Asking,
  { path, id, off }: { path: string; id: string | null; off: boolean },
  emit: (name: string, detail: { path: string; id: string | null }) => void,
) {
  const one = (name: string, words: "diff.redo" | "diff.explain") =>
    html`<button
      class="btn s quiet ${id === null ? "end" : ""}"
      data-testid=${name}
      ?disabled=${off}
      @click=${() => emit(name, { path, id })}
    >
      ${t(words)}<span class="vh">: ${visible(path)}</span>
    </button>`;
  const redo = asks === "redo" && id !== null;
  return html`${redo ? one("hp-redo-part", "diff.redo") : nothing}${
    asks ? one("hp-explain", "diff.explain") : nothing
  }`;
}
