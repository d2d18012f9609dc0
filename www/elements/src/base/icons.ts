/**
 * The icon set: one path each, drawn in the colour of the text around it.
 *
 * Icons never carry meaning alone: a word stands beside each, or the control has a name.
 */
import { html, type SVGTemplateResult, svg, type TemplateResult } from "lit";

const paths = {
  mark: "M2 12h15M9 4v16M17 4v16",
  check: "M3 8.5l3.2 3.2L13 5",
  pick: "M3 3l4 10 1.600-4.400L13 7zM9 9l4 4",
  cross: "M4 4l8 8M12 4l-8 8",
  dash: "M4 8h8",
  warn: "M8 2.5l6 10.8H2zM8 6.5v3M8 11.4v.1",
  info: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5V11M8 5.1v.1",
  ok: "M8 14A6 6 0 108 2a6 6 0 000 12zM5.4 8.2l1.8 1.8 3.4-3.6",
  bad: "M8 14A6 6 0 108 2a6 6 0 000 12zM6 6l4 4M10 6l-4 4",
  idle: "M8 14A6 6 0 108 2a6 6 0 000 12z",
  spin: "M8 2a6 6 0 106 6",
  skip: "M8 14A6 6 0 108 2a6 6 0 000 12zM5.5 8h5",
  low: "M8 12.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9z",
  med: "M8 2.8L13.2 8 8 13.2 2.8 8z",
  high: "M8 2.8l5.6 10H2.4z",
  cr: "M6 4l4 4-4 4",
  cd: "M4 6l4 4 4-4",
  up: "M8 13V3M4 7l4-4 4 4",
  plus: "M8 3v10M3 8h10",
  play: "M5 3l8 5-8 5z",
  stop: "M4.5 4.5h7v7h-7z",
  undo: "M6 3L2.8 6.2 6 9.4M3 6.2h6.5a3.6 3.6 0 010 7.2H6",
  redo: "M10 3l3.2 3.2L10 9.4M13 6.2H6.5a3.6 3.6 0 000 7.2H10",
  down: "M8 2.5v8M4.5 7L8 10.5 11.5 7M3 13.5h10",
  eye: "M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 9.8a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6z",
  panel: "M2 3h12v10H2zM9.5 3v10",
  table: "M2 3h12v10H2zM2 6.5h12M2 9.8h12M6.5 6.5V13",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  code: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  button: "M2 5h12v6H2zM5 8h6",
  palette: "M8 2.5c3 3.2 4.2 5 4.2 6.9a4.2 4.2 0 01-8.4 0C3.8 7.5 5 5.7 8 2.5z",
  sun:
    "M8 11a3 3 0 100-6 3 3 0 000 6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3" +
    "M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9",
  rows: "M7 4h7M7 8h7M7 12h7M3.5 3v10M1.8 4.7L3.5 3l1.7 1.7M1.8 11.3L3.5 13l1.7-1.7",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  cube: "M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.5 4.8L8 7.9l5.5-3.1M8 7.9v6.3",
  storey: "M8 3l6 2.5L8 8 2 5.5zM2 8.3L8 10.8l6-2.5M2 11l6 2.5 6-2.5",
  site: "M2 12.5h12M4 12.5V6l4-3 4 3v6.5M7 12.5V9.5h2v3",
  wall: "M2 4h12v8H2zM2 8h12M6 4v4M10.5 8v4",
  door: "M4.5 14V2.5h7V14M3 14h10M9.5 8.3v.4",
  slab: "M2 6.5h12v3H2z",
  win: "M3 3h10v10H3zM8 3v10M3 8h10",
  stair: "M2 13h3v-3h3V7h3V4h3",
  search: "M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.4 10.4L14 14",
  diff: "M8 2.5v5M5.5 5h5M5.5 12h5",
  key: "M5 14a3 3 0 100-6 3 3 0 000 6zM7.1 8.9L13.5 2.5M11 5l2 2",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5.5a2.5 2.5 0 015 0v2",
  off:
    "M2 2l12 12M4.3 8.5A5.4 5.4 0 016 7.4M2 6.2a8.7 8.7 0 012.8-1.8" +
    "M7.2 3.7A8.5 8.5 0 0114 6.2M9.6 7.2a5.4 5.4 0 012.1 1.3M8 12.5v.1",
  coin:
    "M8 14A6 6 0 108 2a6 6 0 000 12z" +
    "M10 5.9C9.6 5.3 8.9 5 8 5c-1.2 0-2 .6-2 1.5 0 2 4 1 4 3 0 .9-.8 1.5-2 1.5-1 0-1.7-.3-2-1M8 3.8V5M8 11v1.2",
  clock: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 4.8V8l2.2 1.6",
  wide: "M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5l-4.5 4.5M2.5 13.5L7 9",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  pen: "M3 13l.7-2.9L10.8 3 13 5.2 5.9 12.3z",
  again: "M13 8a5 5 0 11-1.6-3.7M13 2.5v3h-3",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.7 9h5.6l.7-9",
  chat: "M2.5 3h11v8h-6L4.5 13.5V11h-2z",
  test: "M6 2h4M6.8 2v4.3L3 13.5h10L9.2 6.3V2M5 10h6",
  history: "M2.5 8A5.5 5.5 0 108 2.5 5.7 5.7 0 003.5 5M2.5 2.5V5.5h3M8 5.2V8l2 1.3",
  lens: "M7 11.5a4.5 4.5 0 100-9 4.5 4.5 0 000 9zM10.4 10.4L14 14M5 7h4",
  flag: "M4 14V2.5h8l-2 3 2 3H4",
  user: "M8 8a2.8 2.8 0 100-5.6A2.8 2.8 0 008 8zM2.8 13.8c.6-2.6 2.6-4 5.2-4s4.6 1.4 5.2 4",
  fork:
    "M5 5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM11 5a1.5 1.5 0 100-3 1.5 1.5 0 000 3z" +
    "M8 14a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM5 5v1.5c0 1 .5 1.5 1.5 1.5h3c1 0 1.5-.5 1.5-1.5V5M8 8v3",
  shield: "M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z",
  globe:
    "M8 14A6 6 0 108 2a6 6 0 000 12zM2 8h12M8 2c2 2 2.5 4 2.5 6S10 12 8 14C6 12 5.5 10 5.5 8S6 4 8 2z",
  crew: "M2 2.5h5v3.5H2zM9 10h5v3.5H9zM4.5 6v3.5a2 2 0 002 2H9",
  fit: "M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5",
  back: "M10 3.5L5.5 8l4.5 4.5",
  pan:
    "M8 2v12M2 8h12M6.5 3.5L8 2l1.5 1.5M6.5 12.5L8 14l1.5-1.5" +
    "M3.5 6.5L2 8l1.5 1.5M12.5 6.5L14 8l-1.5 1.5",
  orbit: "M8 5v6M2 8c0-1.7 2.7-3 6-3s6 1.3 6 3-2.7 3-6 3-6-1.3-6-3z",
  section: "M3 13V5l6-2.5V10.5zM9 5h4v8H6.5",
  measure: "M2 10.5L10.5 2 14 5.5 5.5 14zM5 7.5L6.5 9M7.5 5L9 6.5",
  isolate: "M8 5l3 1.7v3.3L8 11.7 5 10V6.7zM2 5V2h3M11 2h3v3M14 11v3h-3M5 14H2v-3",
  ghost: "M3 3h3M8 3h1M11 3h2v2M13 7v2M13 11v2h-2M9 13H7M5 13H3v-2M3 9V7M3 5V3M6 6h4v4H6z",
  split: "M2 3h12v10H2zM2 8h12",
  app: "M2 3h12v10H2zM2 6h12M4 4.5h.1M6 4.5h.1",
  desktop: "M2 3h12v8H2zM6 13.5h4M8 11v2.5",
  ext: "M9.5 2.5h4v4M13.5 2.5L8 8M11.5 9v4h-9V4.5h4",
  funnel: "M2.5 3.5h11L9.5 8.5V13l-3-1.5v-3z",
  folder: "M2 4h4l1.5 1.8H14v7.2H2z",
  phone: "M5 2h6v12H5zM7.3 12h1.4",
  tablet: "M3.5 2h9v12h-9zM7 12.2h2",
  chart: "M2.5 13.5h11M4.5 13.5V8M8 13.5V3M11.5 13.5V6",
} as const;

export type IconName = keyof typeof paths;

/** The mark is drawn on 24 units, the rest on 16. */
const box = (name: IconName): string => (name === "mark" ? "0 0 24 24" : "0 0 16 16");

const shape = (name: IconName): SVGTemplateResult => svg`<path d=${paths[name]}></path>`;

/** An icon for a control or a row; `look` is any of `s` (14 px), `spin`, `tw` (turns with its disclosure), `c-…`. */
export function icon(name: IconName, look = ""): TemplateResult {
  return html`<svg class="i ${look}" viewBox=${box(name)} aria-hidden="true" focusable="false">
    ${shape(name)}
  </svg>`;
}
