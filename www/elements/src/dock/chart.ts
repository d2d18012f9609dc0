/** Bar, line and pie from rows of data, drawn in the page's own colours, with the numbers as text. */

import type { Json } from "@holdpoint/core/types";
import { html, nothing, svg, type TemplateResult } from "lit";
import { percent } from "../base/format.js";
import { t } from "../text/index.js";
import { shown } from "./binding.js";
import type { Chart } from "./nodes.js";
import { measured, type Titled, titled } from "./units.js";

/** Points that are drawn; more would be lines too thin to read. */
const MAX_POINTS = 200;
/** How a member is named whose values are shares. */
const PERCENT = /(percent|percentage|pct|procent)$/i;
const SHARE = /(percent|percentage|pct|share|ratio|coverage|procent|andel|anteil|占比|比例)$/i;
const W = 320;
const H = 140;

interface Point {
  label: string;
  value: number;
}

export function points(node: Chart, data: Json | undefined): Point[] {
  if (!Array.isArray(data)) return [];
  const x = node.xField ?? "label";
  const y = node.yField ?? "value";
  return data.slice(0, MAX_POINTS).flatMap((row) => {
    if (row === null || typeof row !== "object" || Array.isArray(row)) return [];
    const value = Number(row[y] ?? NaN);
    return Number.isFinite(value) ? [{ label: shown(row[x]), value }] : [];
  });
}

/** What a value is a part of: a bar of 8 % is short, also where nothing is longer. Null: no shares are drawn. */
function whole(node: Chart, title: string, all: Point[]): number | null {
  const named = SHARE.test(node.yField ?? "") || title.includes("%");
  if (!named || all.some(({ value }) => value < 0 || value > 100)) return null;
  const hundredths = PERCENT.test(node.yField ?? "") || title.includes("%");
  return !hundredths && all.every(({ value }) => value <= 1) ? 1 : 100;
}

export function chart(node: Chart, all: Point[], title: string): TemplateResult {
  const label = t("dock.chart", { title: title || node.variant });
  const { unit } = titled(title);
  const body = all.length
    ? drawings[node.variant](all, { label, unit, of: whole(node, title, all) })
    : html`<p class="meta">${t("dock.empty_table")}</p>`;
  return html`<figure class="chart">
    ${title ? html`<figcaption class="meta strong">${title}</figcaption>` : nothing}${body}
  </figure>`;
}

/** What a drawing says of itself, the unit of its numbers, and what they are a part of. */
interface Said extends Pick<Titled, "label" | "unit"> {
  of: number | null;
}

const drawings = { bar: bars, line, pie };

/** One row a bar: the label, the bar, the number. */
function bars(all: Point[], { label, unit, of }: Said): TemplateResult {
  const most = of ?? Math.max(...all.map((point) => Math.abs(point.value)), Number.MIN_VALUE);
  return html`<table class="bars">
    <caption class="vh">
      ${label}
    </caption>
    <tbody>
      ${all.map(
        (point) =>
          html`<tr>
            <th scope="row">${point.label}</th>
            <td class="w">
              <span class="bar" aria-hidden="true"
                ><i style="width:${(Math.abs(point.value) / most) * 100}%"></i
              ></span>
            </td>
            <td class="num">${of === null ? measured(point.value, unit) : percent(point.value / of)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function line(all: Point[], { label, unit }: Said): TemplateResult {
  const low = Math.min(0, ...all.map((point) => point.value));
  const high = Math.max(...all.map((point) => point.value), low + Number.MIN_VALUE);
  const x = (i: number): number => (all.length < 2 ? W / 2 : (i / (all.length - 1)) * W);
  const y = (value: number): number => H - ((value - low) / (high - low)) * H;
  const path = all
    .map((point, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(point.value).toFixed(1)}`)
    .join("");
  return html`<svg
      class="line"
      viewBox="-6 -6 ${W + 12} ${H + 12}"
      role="img"
      aria-label="${label}: ${all
        .map((point) => `${point.label} ${measured(point.value, unit)}`)
        .join(", ")}"
    >
      <path d="M0 ${H}H${W}" class="axis"></path>
      <path d=${path} class="stroke"></path>
      ${all.map(
        (point, i) =>
          svg`<circle cx=${x(i)} cy=${y(point.value)} r="3">
            <title>${point.label}: ${measured(point.value, unit)}</title>
          </circle>`,
      )}
    </svg>
    <p class="meta ends"><span>${all[0]?.label}</span><span>${all.at(-1)?.label}</span></p>`;
}

function pie(all: Point[], { label, unit }: Said): TemplateResult {
  const sum = all.reduce((total, point) => total + Math.max(0, point.value), 0) || 1;
  let at = 0;
  const arc = (share: number): string => {
    const point = (turn: number): string =>
      `${(50 + 46 * Math.sin(turn * 2 * Math.PI)).toFixed(2)} ${(50 - 46 * Math.cos(turn * 2 * Math.PI)).toFixed(2)}`;
    const from = point(at);
    at += Math.min(share, 0.99999);
    return `M50 50L${from}A46 46 0 ${share > 0.5 ? 1 : 0} 1 ${point(at)}Z`;
  };
  return html`<div class="pie">
    <svg viewBox="0 0 100 100" role="img" aria-label=${label}>
      ${all.map(
        (point, i) => svg`<path d=${arc(Math.max(0, point.value) / sum)} class="p${i % 6}"></path>`,
      )}
    </svg>
    <ul class="pie-l">
      ${all.map(
        (point, i) =>
          html`<li>
            <span class="key p${i % 6}"></span><span class="grow">${point.label}</span
            ><span class="meta"
              >${measured(point.value, unit)} · ${percent(Math.max(0, point.value) / sum)}</span
            >
          </li>`,
      )}
    </ul>
  </div>`;
}
