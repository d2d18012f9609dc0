/**
 * Where the bars of a month stand: a column a day, the reported part below, the estimated part on top of it.
 *
 * Knows no drawing; widths and heights are in pixels.
 */
import { scaleBand, scaleLinear } from "d3-scale";
import { stack } from "d3-shape";
import type { DayView } from "./view.js";

export const HEIGHT = 112;
/** Where the axis ends when nothing was used. */
const NOTHING = { cost: 1_000_000, tokens: 1_000 };

export interface Bar {
  day: DayView;
  x: number;
  width: number;
  reported: { y: number; height: number };
  estimated: { y: number; height: number };
}

export interface Bars {
  bars: Bar[];
  /** The lines across, each with the amount that it stands for. */
  lines: { y: number; value: number }[];
  unit: "cost" | "tokens";
}

/** Money, where any was counted; else tokens. */
export const charted = (days: readonly DayView[]): Bars["unit"] =>
  days.some((day) => day.cost > 0) ? "cost" : "tokens";

export function bars(days: readonly DayView[], width: number): Bars {
  const unit = charted(days);
  const most = Math.max(0, ...days.map((day) => day[unit])) || NOTHING[unit];
  const x = scaleBand<number>()
    .domain(days.map((day) => day.at))
    .range([0, Math.max(width, days.length)])
    .paddingInner(0.15);
  const y = scaleLinear().domain([0, most]).nice(2).range([HEIGHT, 0]);
  const parts = stack<DayView, "reported" | "estimated">()
    .keys(["reported", "estimated"])
    .value((day, part) => day[unit] * (part === "estimated" ? day.share : 1 - day.share));
  const [reported = [], estimated = []] = parts([...days]);
  const box = (pair: ArrayLike<number> | undefined) => {
    const [low, high] = [pair?.[0] ?? 0, pair?.[1] ?? 0];
    return { y: y(high), height: Math.max(0, y(low) - y(high)) };
  };
  return {
    unit,
    bars: days.map((day, i) => ({
      day,
      x: x(day.at) ?? 0,
      width: x.bandwidth(),
      reported: box(reported[i]),
      estimated: box(estimated[i]),
    })),
    lines: y.ticks(2).map((value) => ({ y: y(value), value })),
  };
}
