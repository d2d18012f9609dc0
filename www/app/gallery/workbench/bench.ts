/** What the states of the workbench share: the bench while nothing is proposed, its parts, and a page around it. */
import { t } from "@holdpoint/elements";
import type {
  BenchView,
  ContextView,
  TalkView,
  TurnExtras,
} from "@holdpoint/elements/crew/workbench/view";
import type { Turn } from "@holdpoint/elements/talk/view";
import type { WorkbenchPageView } from "../../src/pages/crew/workbench/page-view.js";
import { indicator, minute } from "../fixtures.js";
import * as c from "./change.js";

export const now = minute(24);
export const PRINT = "3E7A 51C8";
export const NOTHING: BenchView["change"] = {
  proposal: null,
  check: "none",
  errors: 0,
  warnings: 0,
  files: [],
  selected: "",
  impact: null,
  unavailable: false,
};

export const you = (id: string, at: number, text: string): Turn => ({
  ...{ id, at, text, who: "you", state: "done" },
});
export const model = (id: string, at: number, text: string): Turn => ({
  ...{ id, at, text, who: "assistant", state: "done" },
});

export const asked = [
  you("1", minute(5), "What happens today with a claim over €5,000?"),
  model(
    "2",
    minute(5),
    "After How large? it goes to Fraud review and from there straight to the letter. Nobody checks the figure " +
      "itself.\n\n" +
      "- How large? compares `loss_amount` with 5,000.\n" +
      "- Fraud review is a workflow of its own; it looks for signs of fraud, not at the sum.\n" +
      "- `excess_amount` is read there but never set, so the comparison cannot be right today.",
  ),
];
export const wanted = you(
  "3",
  minute(15),
  "Claims over €5,000 need a second look by a senior assessor. Use the excess table by vehicle class and " +
    "remove the old one.",
);
export const answer = model(
  "4",
  minute(16),
  "I add a second look for large claims and move to the new excess table.\n\n" +
    "- A new step, Second look, after Fraud review, for claims over €5,000.\n" +
    "- Assess damage reads the excess by vehicle class and keeps it in `excess_amount`.\n" +
    "- The decision letter now names the excess.\n" +
    "- The old table excess-2025.json is deleted.",
);

export const extras = (more: Partial<TurnExtras>): TurnExtras => ({
  ...{ runtime: null, since: 0, claims: [], card: null, reads: "", warnings: [] },
  ...more,
});

export function talk(turns: readonly Turn[], more: Partial<TalkView> = {}): TalkView {
  return {
    conversation: {
      state: "ready",
      problem: null,
      offline: false,
      turns,
      outcome: null,
      running: null,
      examples: [],
      intro: "wb.intro",
      note: "wb.note",
      beside: false,
      live: false,
      clearable: false,
      turnId: "wb-message",
      now,
    },
    composer: {
      mode: "chat",
      modes: [],
      label: t("wb.message"),
      placeholder: t("wb.message.placeholder"),
      draft: "",
      last: "",
      hint: t("wb.hint"),
      along: t("wb.tokens", { n: 6_120, of: 11_200 }),
      stopping: t("wb.stopping"),
      ids: { form: "wb-composer", send: "wb-send", stop: "wb-stop", along: "wb-budget" },
      off: "",
      sending: false,
      since: null,
      waits: 0,
      over: null,
      limit: 20_000,
      now,
    },
    extras: {
      "2": extras({
        reads: [t("wb.n.workflow", { n: 1 }), t("wb.n.step", { n: 2 })].join(t("app.comma")),
      }),
    },
    failure: null,
    off: null,
    over: false,
    now,
    ...more,
  };
}

export const said = (
  card: TurnExtras["card"],
  more: Partial<TurnExtras> = {},
): Partial<TalkView> => ({
  extras: { "4": extras({ card, ...more }) },
});
export const card = (
  state: NonNullable<TurnExtras["card"]>["state"],
): NonNullable<TurnExtras["card"]> => ({
  state,
  files: 5,
  at: minute(22),
});

export const foot = (
  state: BenchView["foot"]["state"],
  reason: string,
  print = PRINT,
): BenchView["foot"] => {
  const open = state === "waits";
  return {
    state,
    reason,
    main: {
      id: "apply",
      label: open ? t("wb.apply.n", { n: 5 }) : t("wb.apply"),
      look: open ? "sign" : "plain",
      icon: "check",
      testid: "wb-apply",
      ...(open ? { print, mono: true } : {}),
    },
    before: [{ id: "cancel", label: t("wb.cancel"), testid: "wb-cancel", alt: true, quiet: true }],
  };
};

const context = (): ContextView => ({
  state: "ready",
  problem: null,
  tokens: 6_120,
  budget: 11_200,
  reserve: 4_800,
  parts: [
    { name: "Motor claim", tokens: 2_840 },
    { name: t("wb.context.rules"), tokens: 1_760 },
    { name: t("wb.context.objects"), tokens: 940 },
    { name: t("wb.context.conversation"), tokens: 580 },
  ],
  groups: [
    {
      is: "always",
      total: 2,
      items: [
        {
          key: "workflow:1",
          name: "Motor claim",
          sub: t("wb.context.target.workflow", { n: 11 }),
          tokens: 2_840,
          on: true,
        },
        {
          key: "rules",
          name: t("wb.context.rules"),
          sub: t("wb.context.rules.sub"),
          tokens: 1_760,
          on: true,
        },
      ],
    },
    {
      is: "agents",
      total: 3,
      items: [
        {
          key: "agent:clerk",
          name: "Intake clerk",
          sub: t("wb.context.agent"),
          tokens: 90,
          on: true,
        },
        {
          key: "agent:cover",
          name: "Cover checker",
          sub: t("wb.context.agent"),
          tokens: 84,
          on: true,
        },
        {
          key: "agent:letter",
          name: "Letter writer",
          sub: t("wb.context.agent"),
          tokens: 98,
          on: false,
        },
      ],
    },
    {
      is: "assets",
      total: 2,
      items: [
        {
          key: "asset:assets/guides/assessment.md",
          name: "assets/guides/assessment.md",
          sub: t("wb.context.asset"),
          tokens: 71,
          on: true,
        },
        {
          key: "asset:assets/tables/excess-2025.json",
          name: "assets/tables/excess-2025.json",
          sub: t("wb.context.asset"),
          tokens: 74,
          on: true,
        },
      ],
    },
  ],
  trimmed: [
    {
      what: t("wb.context.action.summarize", { name: t("wb.context.assets") }),
      before: 1_940,
      after: 260,
    },
  ],
});

export const idle = (): BenchView => ({
  state: "ready",
  problem: null,
  head: {
    name: "Motor claim",
    type: "workflow",
    id: "1",
    mode: "optimize",
    workflow: "",
    project: "Claims desk",
    version: "0.4.0",
    session: "as_7f21c09be4d81a36",
    back: "/crew/prj_1",
    model: { state: "own", name: "writer-large", why: "", href: "/crew/profile" },
  },
  change: NOTHING,
  middle: {
    is: "now",
    title: "Motor claim, version 31",
    now: c.nodes,
    files: [],
    layout: "split",
    errors: [],
    graphs: [],
    repairs: 0,
    conflict: null,
    applied: null,
  },
  talk: talk(asked),
  context: context(),
  foot: foot("closed", t("wb.foot.none")),
  confirm: null,
  said: "",
});

export const page = (
  bench: Partial<BenchView> = {},
  more: Partial<WorkbenchPageView> = {},
): WorkbenchPageView => ({
  signIn: null,
  indicator,
  offline: false,
  menu: null,
  toast: null,
  problem: null,
  theme: "light",
  density: "comfortable",
  language: "en",
  now,
  fault: null,
  bench: { ...idle(), ...bench },
  pane: "chat",
  stamp: null,
  budgetOpen: false,
  ...more,
});

export const shown = (): Partial<BenchView> & Pick<BenchView, "middle"> => ({
  change: c.change(),
  middle: { ...idle().middle, is: "diff", title: "", files: c.files, graphs: c.graphs() },
  talk: talk([wanted, answer], said(card("passed"))),
  foot: foot("waits", t("wb.foot.waits", { n: 5 })),
});
