/** What stands beside a change: menus, history, words, failures. */
import { driftNotice, language, type PanelView, t } from "@holdpoint/elements";
import { pageItems } from "../../src/page-links.js";
import type { PageView } from "../../src/pages/model/page-view.js";
import * as f from "../fixtures.js";
import {
  after,
  docked,
  earlier,
  failed,
  off,
  over,
  page,
  panel,
  purse,
  reviewing,
} from "./base.js";

/** Values with units: from a title, of a value's own, of a grid and of a chart. */
const measures: Partial<PanelView> = {
  ...{ dock: "doors.schedule", title: "Door schedule" },
  state: {
    rows: [
      {
        name: "D-1.01",
        storey: "Level 1",
        mark: "A102",
        width: 1.25,
        area: { value: 2.63, unit: "m²" },
      },
      {
        name: "D-1.02",
        storey: "Level 1",
        mark: "A103",
        width: null,
        area: { value: 1.89, unit: "m²" },
      },
    ],
    widest: 1.25,
  },
  widget: {
    type: "Stack",
    direction: "vertical",
    children: [
      {
        type: "KeyValueGrid",
        rows: [
          { label: "Doors", value: 2 },
          { label: "Widest (m)", value: "$.widest" },
          { label: "Colour", value: "#0b5c6b" },
        ],
      },
      {
        type: "Table",
        data: "$.rows",
        columns: [
          { title: "Door", field: "name" },
          { title: "Storey", field: "storey" },
          { title: "Mark", field: "mark" },
          { title: "Width (m)", field: "width", format: "number" },
          { title: "Area", field: "area", align: "right" },
        ],
      },
      {
        ...{ type: "Chart", variant: "bar", data: "$.rows" },
        xField: "name",
        yField: "width",
        title: "Width (m)",
      },
    ],
  },
};

export const around: Record<string, () => PageView> = {
  extensions: () =>
    over(after, {
      ...docked(),
      pane: "model",
      popover: { kind: "extensions", anchor: null },
      extensions: [
        {
          record: f.record,
          name: "Fire rating coverage",
          stored: true,
          permissions: f.uses,
          commands: [{ id: "x", title: "Export CSV", keys: "Ctrl+Shift+E" }],
          answer: {
            title: "Export CSV",
            value: [
              { storey: "Ground floor", walls: 7 },
              { storey: "First floor", walls: 6 },
            ],
          },
          offers: [
            { kind: "lens", id: "fire.lens", name: "fire rating" },
            { kind: "exporter", id: "fire.csv", name: "fire ratings" },
            { kind: "idsValidator", id: "fire.ids", name: "fire ratings" },
          ],
          verdicts: {
            title: "Fire ratings",
            items: [
              { id: 1, name: "Wall G1", ok: true, message: "" },
              { id: 2, name: "Wall G2", ok: false, message: "It has no fire rating." },
            ],
          },
          asked: [{ host: "codes.example.org", n: 3 }],
          docks: [{ id: "fire.coverage.dock", title: "Fire rating coverage" }],
        },
        {
          record: { ...off, id: "door.check", version: "0.1.1" },
          name: "Door checker",
          stored: false,
          permissions: f.uses.slice(1, 2),
          commands: [],
          answer: null,
          offers: [],
          verdicts: null,
          asked: [],
          docks: [],
        },
      ],
    }),
  /** Two panels in the right dock, one on the left, one below the model whose data is on its way. */
  panels: () => {
    const doors = { ...panel, dock: "doors.schedule", title: "Door schedule" };
    const storeys = { ...panel, dock: "storeys.list", title: "Storeys" };
    const areas: PanelView = {
      ...{ ...panel, dock: "areas.table", title: "Areas", state: undefined, busy: true },
      waits: "working",
    };
    return over(after, {
      docks: [
        { place: "left", tabs: [storeys], front: storeys.dock },
        { place: "bottom", tabs: [areas], front: areas.dock },
        { place: "right", tabs: [panel, doors], front: panel.dock },
      ],
      panel: panel.dock,
      pane: "panels",
    });
  },
  measures: () => over(after, docked(measures)),
  context: () =>
    over(after, {
      ...docked(),
      pane: "model",
      keys: new Map([["Ctrl+Shift+U", { extension: "walls", command: "walls.select" }]]),
      menu: {
        label: t("menu.context", { n: 3 }),
        anchor: null,
        at: { x: 320, y: 240 },
        items: [
          {
            id: "cmd:walls|walls.select",
            label: "External walls without a U-value",
            value: "Ctrl+Shift+U",
          },
          "line",
          { heading: "Checks" },
          { id: "cmd:walls|walls.check", label: "Check the fire rating" },
          {
            id: "more:Checks",
            label: t("menu.more", { n: 2 }),
            items: [
              { id: "cmd:walls|walls.a", label: "Check the width" },
              { id: "cmd:walls|walls.b", label: "Check the height" },
            ],
          },
        ],
      },
    }),
  history: () =>
    over({
      ...reviewing,
      screen: "history",
      chosen: ["7", "8"],
      history: {
        now: f.minute(60),
        compared: null,
        told: null,
        extensions: [
          { record: f.record, name: "Fire rating coverage", stored: true },
          { record: off, name: "Door checker", stored: true },
        ],
        changes: earlier(),
      },
    }),
  drift: () => over({ screen: "drift", drift: f.drift }, { drift: driftNotice(f.drift) }),
  "drift-one": () =>
    over({}, { drift: driftNotice({ sdk: "2.5", lines: f.drift.lines.slice(0, 1) }) }),
  told: () =>
    over({
      ...reviewing,
      screen: "history",
      history: {
        now: f.minute(60),
        compared: null,
        told: { name: "Fire rating coverage", log: f.conversation },
        extensions: [],
        changes: earlier(),
      },
    }),
  compared: () =>
    over({
      ...reviewing,
      screen: "history",
      history: {
        now: f.minute(60),
        extensions: [],
        changes: earlier(),
        told: null,
        compared: {
          pair: { name: "Fire rating coverage", from: "0.1.0", to: "0.2.0" },
          files: f.changedDiff,
        },
      },
    }),
  words: () =>
    over({
      turns: [
        {
          id: "1",
          who: "you",
          text: "Make a 4D schedule from the work tasks",
          at: f.minute(0),
          state: "done",
        },
        {
          id: "2",
          who: "assistant",
          name: "Scripted model",
          text:
            "I cannot do this. I am a recording, not a model: I know five requests and play them " +
            "the same way each time.",
          at: f.minute(0),
          state: "done",
          suggestions: [{ key: "empty.ex1" }, { key: "empty.ex2" }],
        },
      ],
    }),
  once: () =>
    over({
      turns: [
        {
          id: "1",
          who: "you",
          text: "Show all windows coloured by U value",
          at: f.minute(0),
          state: "done",
        },
        {
          id: "2",
          who: "holdpoint",
          text: "Answer it once, or make a tool that does it whenever you like?",
          at: f.minute(0),
          state: "done",
          readings: [
            { says: "Answer it once", ask: { text: "", once: true } },
            { says: "Make a tool", ask: { text: "" } },
          ],
        },
      ],
    }),
  answering: () =>
    over({ run: { ...f.answered, state: "testing", attempts: [f.answering] }, gateway: f.ended }),
  answer: () => over({ run: f.answered, gateway: f.ended }),
  "answer-nothing": () => over({ run: f.nothing, gateway: f.ended }),
  "answer-failed": () => over({ run: f.unanswered, gateway: f.ended }),
  promote: () =>
    over({
      run: f.answered,
      screen: "promote",
      promoting: {
        ...{ name: "Doors without a fire rating", icon: "flame", category: "Fire", key: "" },
        ...{ icons: ["box", "flame", "ruler"], problem: "" },
      },
    }),
  same: () =>
    over({
      turns: [
        {
          id: "1",
          who: "you",
          text: "Add a panel that shows fire-rating coverage by storey",
          at: f.minute(0),
          state: "done",
        },
        {
          id: "2",
          who: "holdpoint",
          text: "",
          said: "chat.same",
          params: { name: "Fire rating coverage" },
          at: f.minute(0),
          state: "done",
          again: "Add a panel that shows fire-rating coverage by storey",
        },
      ],
    }),
  error: () => over({ run: failed, gateway: f.ended }),
  "error-budget": () =>
    over({
      run: {
        ...failed,
        ...{ reason: "tokens", best: null, plan: null, approved_at: null },
        ...{ attempts: [], files: {}, tests: [] },
      },
      purse: { ...purse, left: { tokens: 1_200, cost: 0 } },
      problem: {
        code: "BUDGET_EXCEEDED",
        message: "",
        details: {
          ...{ unit: "tokens", need: 9_000, remaining: 1_200, limit: purse.limit.tokens },
          ...{ resets_at: f.minute(59), extension_url: "/usage?budget=dev-day&ask=7800" },
        },
      },
    }),
  uninstalled: () =>
    over(
      {},
      {
        toast: {
          text: t("toast.uninstalled", { name: after.installed.name }),
          sub: "",
          undo: true,
        },
      },
    ),
  "error-hand": () =>
    over({
      run: {
        ...failed,
        reason: "hand",
        attempts: [f.first, { ...f.passed, best: true }, { ...f.first, number: "hand" }],
      },
      gateway: f.ended,
    }),
  cancelled: () => over({ run: { ...failed, state: "cancelled", reason: null }, gateway: f.ended }),
  account: () => ({
    ...page,
    menu: {
      label: t("app.account"),
      anchor: null,
      items: [
        { heading: t("app.account"), sub: t("app.answers", { model: "Scripted model" }) },
        "line",
        ...pageItems("model"),
        "line",
        { id: "extensions", label: t("app.extensions"), icon: "panel" },
        { id: "theme", label: t("app.theme.label"), icon: "sun", value: t("app.theme.system") },
        {
          id: "density",
          label: t("app.density.label"),
          icon: "rows",
          value: t("app.density.comfortable"),
        },
        {
          id: "language",
          label: t("app.language"),
          icon: "globe",
          value: t(`app.language.${language()}`),
        },
        "line",
        { id: "sign-out", label: t("app.sign_out"), icon: "lock" },
        "line",
        { heading: t("app.name"), sub: t("app.version", { version: "0.1.0" }) },
      ],
    },
  }),
};
