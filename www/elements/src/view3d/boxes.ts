/** The small box top right: a section plane, or what is measured; and the measured line over the drawing. */
import { html, nothing, svg } from "lit";
import { icon } from "../base/icons.js";
import { t } from "../text/index.js";
import type { Section, Spot } from "./scene.js";
import type { Point } from "./snap.js";
import { length } from "./units.js";
import type { View3d } from "./view.js";

/** Steps of the slider between both ends of the model. */
const STEPS = 1000;
const axes: readonly Section["axis"][] = ["z", "x", "y"];

/** `at` is where the plane stands, in metres from the file's zero. */
export function sectionBox(
  section: Section,
  at: number,
  unit: number,
  set: (section: Section | null) => void,
) {
  const axis = (one: Section["axis"]) => html`<button
    aria-pressed=${section.axis === one}
    @click=${() => set({ ...section, axis: one })}
  >
    ${one === "z" ? t("view.section.z") : one.toUpperCase()}
  </button>`;
  const slid = (event: Event) =>
    set({ ...section, share: Number((event.target as HTMLInputElement).value) / STEPS });
  return html`<section class="box" data-box="section" aria-labelledby="h-section">
    ${head("h-section", t("view.section"), t("view.section.remove"), () => set(null))}
    <div class="b">
      <div class="seg" role="group" aria-label=${t("view.section.axis")}>${axes.map(axis)}</div>
      <label for="section-at"
        >${t("view.section.at")} <span class="strong">${length(unit, at)}</span></label
      >
      <input
        type="range"
        id="section-at"
        min="0"
        max=${STEPS}
        .value=${String(Math.round(section.share * STEPS))}
        aria-valuetext=${length(unit, at)}
        @input=${slid}
      />
      <button class="btn s" @click=${() => set({ ...section, flipped: !section.flipped })}>
        ${icon("again", "s")}<span>${t("view.section.flip")}</span>
      </button>
    </div>
  </section>`;
}

export function measureBox(points: readonly Point[], view: View3d, close: () => void) {
  const [from, to] = points;
  const of = ({ kind, id }: Point): string => t(`view.snap.${kind}`, { name: view.name(id) });
  const row = (label: string, text: string, look = "") => html`<div>
    <dt class=${look}>${label}</dt>
    <dd class=${look}>${text}</dd>
  </div>`;
  return html`<section class="box" data-box="measure" aria-labelledby="h-measure">
    ${head("h-measure", t("view.measure"), t("view.measure.close"), close)}
    <div role="status">
      <dl>
        ${
          from && to
            ? html`${row(
                t("view.measure.distance"),
                length(view.unit, distance(from, to)),
                "strong",
              )}${row(t("view.measure.parts"), length(view.unit, ...apart(from, to)))}`
            : nothing
        }
        ${from ? row(t("view.measure.from"), of(from)) : nothing}
        ${to ? row(t("view.measure.to"), of(to)) : nothing}
      </dl>
      ${to ? nothing : html`<p class="hint">${t(from ? "view.measure.second" : "view.measure.first")}</p>`}
    </div>
    <p class="meta hint">${t("view.measure.hint")}</p>
  </section>`;
}

/** The measured line, its ends and its length, over the drawing. */
export function measured(
  points: readonly Point[],
  unit: number,
  spot: (place: Point["at"]) => Spot | null,
) {
  const [a, b] = points.map((one) => spot(one.at));
  const dot = (at: Spot | null | undefined) =>
    at ? svg`<circle cx=${at[0]} cy=${at[1]} r="4"></circle>` : nothing;
  const [from, to] = points;
  return html`<svg class="lines" aria-hidden="true">
      ${a && b ? svg`<line x1=${a[0]} y1=${a[1]} x2=${b[0]} y2=${b[1]}></line>` : nothing}
      ${dot(a)}${dot(b)}</svg
    >${
      a && b && from && to
        ? html`<span
            class="tag dim strong"
            aria-hidden="true"
            style="left:${(a[0] + b[0]) / 2}px;top:${(a[1] + b[1]) / 2}px"
            >${length(unit, distance(from, to))}</span
          >`
        : nothing
    }`;
}

function head(id: string, title: string, close: string, act: () => void) {
  return html`<div class="h">
    <h3 id=${id}>${title}</h3>
    <button class="btn quiet s icon" aria-label=${close} @click=${act}>${icon("cross")}</button>
  </div>`;
}

const apart = (a: Point, b: Point): number[] => a.at.map((x, k) => Math.abs((b.at[k] ?? 0) - x));
const distance = (a: Point, b: Point): number => Math.hypot(...apart(a, b));
