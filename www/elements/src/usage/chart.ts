/**
 * What was used each day of a month: bars in two shades, reported and estimated, and the same as a table for those who
 * do not see them. The days are one slider: arrow keys go through them, and the words stand above. UI.md §3.
 */
import { css, html, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { HpElement } from "../base/element.js";
import {
  compact,
  countedDay,
  countedDayShort,
  listed,
  percent,
  roundMoney,
} from "../base/format.js";
import { calls, meters } from "../base/sheets.js";
import { buttons, ground } from "../base/styles.js";
import { t } from "../text/index.js";
import { used } from "./amounts.js";
import { type Bar, type Bars, bars, charted, HEIGHT } from "./bars.js";
import { around } from "./part.js";
import { parts } from "./usage.styles.js";
import type { ChartView, DayView } from "./view.js";

const own = css`
  :host { display: grid; gap: var(--s-4); align-content: start; }
  .call { margin: 0; }
  .wait { padding: 0; }
  .legend { display: flex; flex-wrap: wrap; gap: var(--s-2) var(--s-5); align-items: center; }
  .legend .strong { color: var(--text); }
  .legend .k { display: inline-flex; align-items: center; gap: var(--s-2); }
  .chart {
    display: grid;
    grid-template: ${HEIGHT}px 20px / auto minmax(0, 1fr);
    column-gap: var(--s-4);
    font-size: var(--t-meta);
    line-height: var(--l-meta);
    color: var(--text-2);
  }
  .y { position: relative; min-width: 28px; }
  .y span { visibility: hidden; display: block; height: 0; }
  .y b {
    position: absolute;
    inset-inline-start: 0;
    translate: 0 -50%;
    font-weight: var(--w-normal);
    white-space: nowrap;
  }
  .plot { position: relative; min-width: 0; border-bottom: 1px solid var(--line-control); }
  .plot:focus-visible { outline-offset: 4px; }
  .plot svg { position: absolute; inset: 0; width: 100%; height: ${HEIGHT}px; overflow: visible; }
  .line { stroke: var(--line); }
  .bar { fill: var(--action-fill); }
  .edge { stroke: var(--action-fill); stroke-width: 1; }
  .now { fill: var(--hover); }
  .hatch-a { fill: var(--action-tint); }
  .hatch-b { stroke: var(--action-fill); stroke-width: 2; }
  .x { position: relative; grid-column: 2; }
  .x span { position: absolute; top: 4px; white-space: nowrap; translate: -50% 0; }
  .x .first { translate: 0 0; }
  .x .last { translate: -100% 0; }
  .tip { min-height: var(--l-meta); }
  @media (forced-colors: active) { .bar { fill: CanvasText; } .hatch-b { stroke: CanvasText; } }
`;

@customElement("hp-usage-chart")
export class UsageChart extends HpElement {
  static override styles = [ground, buttons, calls, meters, parts, own];
  @property({ attribute: false }) view!: ChartView;
  /** The width of the plot, as it was measured. */
  @state() private width = 560;
  /** The day that is looked at. */
  @state() private looked: number | null = null;
  /** Whether its words stand above: while it has the focus or the pointer. */
  @state() private told = false;
  #sizes: ResizeObserver | null = null;

  protected override get state(): string {
    return this.view.state;
  }

  override render() {
    const { days, state: now } = this.view;
    const any = days.some((day) => day.requests > 0);
    const again = () => this.emit("hp-usage-again", { part: "days" });
    return html`${around(this.view, t("usage.part.days"), any, again)}${
      now === "loading" && !any ? nothing : this.#chart(bars(days, this.width))
    }`;
  }

  #chart(drawn: Bars) {
    const { days } = this.view;
    const shown = drawn.bars[this.#at()];
    return html`<p class="meta legend">
        <span class="strong">${t(`usage.chart.${drawn.unit}`)}</span>
        <span class="k"><span class="key"></span>${t("usage.chart.reported")}</span>
        <span class="k"><span class="key held"></span>${t("usage.chart.estimated")}</span>
      </p>
      <div class="chart">
        <div class="y" aria-hidden="true">
          ${drawn.lines.map(({ value }) => html`<span>${this.#axis(value, drawn)}</span>`)}${drawn.lines.map(
            ({ y, value }) => html`<b style="top:${y}px">${this.#axis(value, drawn)}</b>`,
          )}
        </div>
        <div
          class="plot"
          role="slider"
          tabindex="0"
          data-testid="hp-chart"
          aria-label=${t(`usage.chart.${drawn.unit}`)}
          aria-valuemin="1"
          aria-valuemax=${days.length}
          aria-valuenow=${this.#at() + 1}
          aria-valuetext=${shown ? this.#words(shown.day) : ""}
          @keydown=${this.#keys}
          @focus=${() => (this.told = true)}
          @blur=${() => (this.told = false)}
          @pointermove=${this.#point}
          @pointerleave=${() => (this.told = false)}
        >
          ${this.#drawing(drawn, shown)}
        </div>
        <div class="x" aria-hidden="true">${this.#labels(drawn)}</div>
      </div>
      <p class="meta tip">${this.told && shown ? this.#words(shown.day) : this.#summary()}</p>
      ${this.#table()}`;
  }

  #drawing({ bars: all, lines }: Bars, shown: Bar | undefined) {
    return html`<svg aria-hidden="true" focusable="false">
      <defs>
        <pattern
          id="hatch"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect class="hatch-a" width="4" height="4"></rect>
          <path class="hatch-b" d="M1 0V4"></path>
        </pattern>
      </defs>
      ${
        this.told && shown
          ? svg`<rect class="now" x=${shown.x} y="0" width=${shown.width} height=${HEIGHT}></rect>`
          : nothing
      }
      ${lines
        .filter(({ y }) => y < HEIGHT)
        .map(({ y }) => svg`<path class="line" d="M0 ${y + 0.5}H${this.width}"></path>`)}
      ${all.map(
        ({ x, width, reported, estimated }) => svg`<rect
            class="bar" x=${x} width=${width} y=${reported.y} height=${reported.height}
          ></rect>${
            estimated.height > 0
              ? svg`<rect
                  x=${x} width=${width} y=${estimated.y} height=${estimated.height} fill="url(#hatch)"
                ></rect><path class="edge" d="M${x} ${estimated.y + 0.5}h${width}"></path>`
              : nothing
          }`,
      )}
    </svg>`;
  }

  /** The first day, each week, today and the last day; a week that would run into another label is left out. */
  #labels({ bars: all }: Bars) {
    const last = all.length - 1;
    const today = all.findIndex(({ day }) => day.at === this.view.today);
    const near = (a: number, b: number): boolean => Math.abs(a - b) < all.length / 9;
    const weeks = [0, 7, 14, 21, 28].filter(
      (at) => at <= last && !near(at, last) && (today < 0 || !near(at, today)),
    );
    const middle = ({ x, width }: Bar): number => x + width / 2;
    return html`${weeks.map((at) => {
      const bar = all[at];
      return bar
        ? html`<span class=${at === 0 ? "first" : ""} style="left:${at === 0 ? 0 : middle(bar)}px"
            >${at + 1}</span
          >`
        : nothing;
    })}${
      today >= 0 && all[today]
        ? html`<span
            class="strong ${edge(today, last)}"
            style="left:${today === last ? this.width : middle(all[today])}px"
            >${t("usage.today")}</span
          >`
        : nothing
    }${
      all[last] && !(today >= 0 && near(today, last))
        ? html`<span class="last" style="left:${this.width}px"
            >${countedDayShort(all[last].day.at)}</span
          >`
        : nothing
    }`;
  }

  #axis(value: number, { unit }: Bars): string {
    return unit === "tokens" ? compact(value) : roundMoney(value, this.view.currency);
  }

  /** 21 November: $16.56, 41 calls, 3 estimated. */
  #words(day: DayView): string {
    const name =
      day.at === this.view.today
        ? t("usage.today.day", { day: countedDay(day.at) })
        : countedDay(day.at);
    if (day.requests === 0) return t("usage.day", { day: name, text: t("usage.day.none") });
    const text = [this.#amount(day), t("usage.calls.n", { n: day.requests })];
    if (day.estimated > 0) text.push(t("usage.estimated.n", { n: day.estimated }));
    return t("usage.day", { day: name, text: listed(text) });
  }

  #amount(day: DayView): string {
    const cost = charted(this.view.days) === "cost" ? day.cost : 0;
    return used({ tokens: day.tokens, cost }, this.view.currency) || t("usage.nothing");
  }

  /** How much of the month is estimated, in words. */
  #summary(): string {
    const calls = this.view.days.reduce((sum, day) => sum + day.requests, 0);
    const estimated = this.view.days.reduce((sum, day) => sum + day.estimated, 0);
    if (calls === 0) return t("usage.chart.none");
    if (estimated === 0) return t("usage.chart.exact", { n: calls });
    return t("usage.chart.about", { n: estimated, calls, share: percent(estimated / calls) });
  }

  #table() {
    return html`<div class="vh"><table>
      <caption>
        ${t(`usage.chart.${charted(this.view.days)}`)}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t("usage.day.column")}</th>
          <th scope="col">${t("usage.spent")}</th>
          <th scope="col">${t("usage.calls")}</th>
          <th scope="col">${t("usage.chart.estimated")}</th>
        </tr>
      </thead>
      <tbody>
        ${this.view.days
          .filter((day) => day.requests > 0)
          .map(
            (day) =>
              html`<tr>
                <th scope="row">${countedDay(day.at)}</th>
                <td>${this.#amount(day)}</td>
                <td>${day.requests}</td>
                <td>${day.estimated}</td>
              </tr>`,
          )}
      </tbody>
    </table></div>`;
  }

  /** The day that is looked at; where none is, today or the last one. */
  #at(): number {
    const { days, today } = this.view;
    const now = days.findIndex((day) => day.at === today);
    const at = this.looked ?? (now >= 0 ? now : days.length - 1);
    return Math.max(0, Math.min(at, days.length - 1));
  }

  #keys(event: KeyboardEvent): void {
    const at = this.#at();
    const to = {
      ...{ ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1 },
      ...{ PageUp: at + 7, PageDown: at - 7, Home: 0, End: this.view.days.length - 1 },
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.looked = Math.max(0, Math.min(to, this.view.days.length - 1));
    this.told = true;
  }

  #point(event: PointerEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const { days } = this.view;
    const at = Math.floor(((event.clientX - box.left) / box.width) * days.length);
    this.looked = Math.max(0, Math.min(at, days.length - 1));
    this.told = true;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sizes = new ResizeObserver(() => this.#measure());
    this.#sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sizes?.disconnect();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    super.updated(changed);
    this.#measure();
  }

  #measure(): void {
    const plot = this.renderRoot.querySelector(".plot");
    const width = Math.round(plot?.clientWidth ?? 0);
    if (width > 0 && width !== this.width) this.width = width;
  }
}

/** Where the label of a day at the edge of the plot stands. */
function edge(at: number, last: number): string {
  if (at === 0) return "first";
  return at === last ? "last" : "";
}
