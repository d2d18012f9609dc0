/** Each state of the workbench (UI.md §12) as a `WorkbenchPageView`, from the package of the drawing. */
import type { TurnRuntime, TurnStep } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type {
  BenchView,
  ContextView,
  TalkView,
  TurnExtras,
} from "@holdpoint/elements/crew/workbench/view";
import type { Turn } from "@holdpoint/elements/talk/view";
import type { WorkbenchPageView } from "../src/pages/crew/workbench/page-view.js";
import * as c from "./crew-change.js";
import { indicator, minute } from "./fixtures.js";

const now = minute(24);
const NOTHING: BenchView["change"] = {
  proposal: null,
  check: "none",
  errors: 0,
  warnings: 0,
  files: [],
  selected: "",
  impact: null,
  unavailable: false,
};

const you = (id: string, at: number, text: string): Turn => ({
  ...{ id, at, text, who: "you", state: "done" },
});
const model = (id: string, at: number, text: string): Turn => ({
  ...{ id, at, text, who: "assistant", state: "done" },
});

const asked = [
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
const wanted = you(
  "3",
  minute(15),
  "Claims over €5,000 need a second look by a senior assessor. Use the excess table by vehicle class and " +
    "remove the old one.",
);
const answer = model(
  "4",
  minute(16),
  "I add a second look for large claims and move to the new excess table.\n\n" +
    "- A new step, Second look, after Fraud review, for claims over €5,000.\n" +
    "- Assess damage reads the excess by vehicle class and keeps it in `excess_amount`.\n" +
    "- The decision letter now names the excess.\n" +
    "- The old table excess-2025.json is deleted.",
);

const extras = (more: Partial<TurnExtras>): TurnExtras => ({
  ...{ runtime: null, since: 0, claims: [], card: null, reads: 0, warnings: [] },
  ...more,
});

function talk(turns: readonly Turn[], more: Partial<TalkView> = {}): TalkView {
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
      markdown: true,
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
    extras: { "2": extras({ reads: 3 }) },
    failure: null,
    off: null,
    now,
    ...more,
  };
}

const said = (card: TurnExtras["card"], more: Partial<TurnExtras> = {}): Partial<TalkView> => ({
  extras: { "4": extras({ card, ...more }) },
});
const card = (
  state: NonNullable<TurnExtras["card"]>["state"],
): NonNullable<TurnExtras["card"]> => ({
  state,
  files: 5,
  at: minute(22),
});

const foot = (state: BenchView["foot"]["state"], reason: string): BenchView["foot"] => {
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
      ...(open ? { print: "3E7A 51C8", mono: true } : {}),
    },
    before: [{ id: "cancel", label: t("wb.cancel"), testid: "wb-cancel", alt: true }],
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
          sub: t("wb.context.target"),
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
    { section: "dependency_digest.assets", action: "summarize", before: 1_940, after: 260 },
  ],
});

const idle = (): BenchView => ({
  state: "ready",
  problem: null,
  head: {
    name: "Motor claim",
    type: "workflow",
    id: "1",
    mode: "optimize",
    workflow: "",
    project: "Claims desk",
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

const page = (
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

const shown = (): Partial<BenchView> => ({
  change: c.change(),
  middle: { ...idle().middle, is: "diff", title: "", files: c.files },
  talk: talk([wanted, answer], said(card("passed"))),
  foot: foot("waits", t("wb.foot.waits", { n: 5 })),
});

const step = (
  id: string,
  what: string,
  state: TurnStep["state"],
  from: number,
  to: number | null,
) => ({ id, what, is: "tool", state, code: "", from, to }) satisfies TurnStep;
const running: TurnRuntime = {
  phase: "validation_repair",
  calls: 4,
  repairs: 1,
  steps: [
    step("a", "builder.workflow.read", "ok", 900, 1_000),
    step("b", "builder.step.read", "ok", 1_000, 1_100),
    step("c", "builder.refs.find", "ok", 1_100, 1_200),
    step("d", "builder.change.stage", "ok", 3_000, 17_200),
    step("e", "builder.change.validate", "failed", 17_200, 17_300),
    {
      id: "f",
      what: "validation_repair",
      is: "thinking",
      state: "running",
      code: "",
      from: 18_000,
      to: null,
    },
  ],
};

const states: Record<string, () => WorkbenchPageView> = {
  "wb-chat": () => page(),
  "wb-empty": () => page({ talk: talk([]) }),
  "wb-opening": () => page({ state: "loading" }),
  "wb-unread": () =>
    page({
      state: "failed",
      problem: { code: "PROJECT_NOT_FOUND", message: "There is no such project." },
    }),
  "wb-running": () => {
    const writing: Turn = { ...answer, text: "", at: null, state: "writing", since: now - 24_000 };
    const base = talk([...asked, wanted, writing], {
      extras: { "4": extras({ runtime: running, since: now - 24_000 }) },
    });
    return page({
      change: { ...NOTHING, check: "running" },
      talk: {
        ...base,
        conversation: { ...base.conversation, running: "chat" },
        composer: { ...base.composer, since: now - 24_000 },
      },
      foot: foot("closed", t("wb.foot.running")),
      said: t("wb.live.running", { what: t("wb.phase.model") }),
    });
  },
  "wb-preview": () => page(shown(), { pane: "change" }),
  "wb-claims": () =>
    page({
      ...shown(),
      change: {
        ...c.change(),
        warnings: 3,
        files: c.change().files.map((one) => ({ ...one, unsaid: one.name === "Senior assessor" })),
      },
      talk: talk([wanted, answer], said(card("passed"), { claims: c.claims() })),
      foot: foot("waits", t("wb.foot.claims", { n: 2 })),
    }),
  "wb-invalid": () =>
    page(
      {
        ...shown(),
        change: { ...c.change(), check: "failed", errors: 3 },
        middle: {
          ...idle().middle,
          is: "diff",
          title: "",
          files: c.files,
          errors: c.errors,
          repairs: 2,
        },
        talk: talk([wanted, answer], said(card("failed"))),
        foot: {
          ...foot("closed", t("wb.foot.failed")),
          before: [
            { id: "cancel", label: t("wb.cancel"), testid: "wb-cancel", alt: true },
            { id: "fix", label: t("wb.fix", { n: 3 }), testid: "wb-fix", alt: true },
          ],
        },
      },
      { pane: "change" },
    ),
  "wb-confirm": () =>
    page(
      {
        ...shown(),
        confirm: {
          deletes: [
            {
              path: "assets/tables/excess-2025.json",
              sub: `${t("wb.confirm.lines", { n: 41 })} ${t("wb.confirm.cited", { names: "Settle payment" })}`,
            },
          ],
          secrets: [],
          confirmed: true,
          sending: false,
          foot: {
            ...foot("waits", t("wb.confirm.undo")),
            before: [{ id: "confirm-back", label: t("wb.confirm.back") }],
          },
        },
      },
      { pane: "change" },
    ),
  "wb-conflict": () =>
    page(
      {
        ...shown(),
        change: {
          ...c.change(),
          files: c.change().files.map((one, i) => ({ ...one, different: i === 0 })),
        },
        middle: {
          ...idle().middle,
          is: "diff",
          title: "",
          files: c.files,
          conflict: {
            objects: ["Motor claim"],
            files: ["workflows/1/workflow.graph.json"],
            same: 4,
            before: "3E7A 51C8",
            after: "90C4 17AE",
          },
        },
        talk: talk([wanted, answer], said(card("stale"))),
        foot: foot("waits", t("wb.foot.conflict")),
      },
      { pane: "change" },
    ),
  "wb-applied": () =>
    page(
      {
        middle: {
          ...idle().middle,
          is: "result",
          title: "",
          applied: {
            print: "3E7A 51C8",
            at: minute(22),
            files: c.change().files,
            newer: [{ part: "agents", provided: 7, current: 8 }],
            version: "version 32",
          },
        },
        talk: talk([wanted, answer], said(card("applied"))),
        foot: {
          state: "done",
          reason: t("wb.foot.done", { time: "14:22" }),
          reasonIcon: "ok",
          reasonLook: "c-pass",
          main: { id: "back", label: t("wb.back"), look: "primary" },
          before: [{ id: "undo", label: t("wb.undo"), icon: "undo", testid: "wb-undo", alt: true }],
        },
      },
      { pane: "change", stamp: { print: "3E7A 51C8", changes: 5, files: 5, at: minute(22) } },
    ),
  "wb-failed": () =>
    page({
      talk: talk([...asked, { ...wanted, state: "failed" }], {
        failure: {
          error: {
            code: "AI_PROVIDER_TIMEOUT",
            message: "The model did not answer within 60 seconds.",
            hints: ["Ask for less at once.", "Raise the time in Your model."],
          },
          again: true,
          waits: 0,
        },
      }),
    }),
  "wb-context": () => page({}, { pane: "ctx" }),
  "wb-provider": () => {
    const base = talk(asked, {
      off: { title: t("wb.model.AI_DISABLED"), href: "/crew/profile" },
    });
    return page({
      head: {
        ...idle().head,
        model: {
          state: "none",
          name: "",
          why: t("wb.model.AI_DISABLED"),
          href: "/crew/profile",
        },
      },
      talk: { ...base, composer: { ...base.composer, off: t("wb.off.model") } },
    });
  },
  "wb-offline": () =>
    page(
      { ...shown(), foot: foot("closed", t("wb.foot.offline")) },
      { pane: "change", offline: true },
    ),
  "wb-unavailable": () => page({ change: { ...NOTHING, unavailable: true } }, { pane: "change" }),
  "wb-step": () =>
    page(
      {
        head: {
          ...idle().head,
          name: "Assess damage",
          type: "step",
          id: "assess",
          workflow: "Motor claim",
        },
        middle: { ...idle().middle, title: "", now: c.step },
      },
      { pane: "change" },
    ),
  "wb-query-error": () =>
    page(
      {},
      {
        bench: null,
        fault: {
          what: t("wb.query.missing", { name: "workflowId" }),
          back: "/crew/prj_1",
          label: t("wb.back"),
        },
      },
    ),
};

export const workbenchStateNames = Object.keys(states);
export const workbenchViewOf = (name: string): WorkbenchPageView | null => states[name]?.() ?? null;
