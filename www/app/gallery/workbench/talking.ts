/** States of the workbench in which it is talked, or nothing is proposed (UI.md §12). */
import type { TurnRuntime, TurnStep } from "@holdpoint/core/crew";
import type { ErrorShape } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { Turn } from "@holdpoint/elements/talk/view";
import type { WorkbenchPageView } from "../../src/pages/crew/workbench/page-view.js";
import { minute } from "../fixtures.js";
import * as b from "./bench.js";
import * as c from "./change.js";

const { now } = b;

const step = (
  id: string,
  what: string,
  state: TurnStep["state"],
  from: number,
  to: number | null,
  code = "",
): TurnStep => ({
  id,
  what,
  is: what.startsWith("builder.") ? "tool" : "thinking",
  state,
  code,
  from,
  to,
});

const repairing: TurnRuntime = {
  phase: "validation_repair",
  calls: 4,
  repairs: 1,
  steps: [
    step("a", "builder.workflow.read", "ok", 900, 1_000),
    step("b", "builder.step.read", "ok", 1_000, 1_100),
    step("c", "builder.refs.find", "ok", 1_100, 1_200),
    step("d", "builder.change.stage", "ok", 3_000, 17_200),
    step("e", "builder.change.validate", "failed", 17_200, 17_300),
    step("f", "validation_repair", "running", 18_000, null),
  ],
};
const forbidden: TurnRuntime = {
  phase: "model",
  calls: 2,
  repairs: 0,
  steps: [
    step("a", "builder.step.read", "ok", 900, 1_000),
    step("b", "builder.change.apply", "failed", 1_100, 1_100, "AI_TOOL_FORBIDDEN"),
    step("c", "builder.files.delete", "failed", 1_200, 1_200, "AI_TOOL_NOT_ALLOWED"),
    step("d", "model", "running", 2_000, null),
  ],
};

/** A turn that runs: what was said so far, and what it does. */
function writing(text: string, runtime: TurnRuntime): WorkbenchPageView {
  const since = now - 24_000;
  const turn: Turn = { ...b.answer, text, at: null, state: "writing", since };
  const base = b.talk([...b.asked, b.wanted, turn], {
    extras: { "4": b.extras({ runtime, since }) },
  });
  return b.page({
    change: { ...b.NOTHING, check: "running" },
    talk: {
      ...base,
      conversation: { ...base.conversation, running: "chat" },
      composer: { ...base.composer, since },
    },
    foot: b.foot("closed", t("wb.foot.running")),
    said: t("wb.live.running", { what: t("wb.phase.model") }),
  });
}

const failed = (
  code: string,
  message: string,
  hints: string[] = [],
  details: ErrorShape["details"] = {},
): WorkbenchPageView =>
  b.page({
    talk: b.talk([...b.asked, { ...b.wanted, state: "failed" }], {
      failure: { error: { code, message, hints, details }, again: true, waits: 0 },
    }),
  });

export const talking: Record<string, () => WorkbenchPageView> = {
  "wb-chat": () => b.page(),
  "wb-empty": () => b.page({ talk: b.talk([]) }),
  "wb-opening": () => b.page({ state: "loading" }),
  "wb-unread": () =>
    b.page({
      state: "failed",
      problem: { code: "PROJECT_NOT_FOUND", message: "There is no such project." },
    }),
  "wb-streaming": () =>
    writing("I add a second look for large claims and move to the new excess", {
      ...repairing,
      phase: "model",
      repairs: 0,
      steps: [...repairing.steps.slice(0, 3), step("g", "model", "running", 2_000, null)],
    }),
  "wb-running": () => writing("", repairing),
  "wb-forbidden": () => writing("", forbidden),
  "wb-refused": () =>
    b.page({
      talk: b.talk([b.wanted, { ...b.answer, text: "I could not apply it: only you can." }], {
        extras: {
          "4": b.extras({
            reads: t("wb.n.step", { n: 1 }),
            warnings: ["builder.change.apply was refused: only a person applies."],
          }),
        },
      }),
    }),
  "wb-stopped": () =>
    b.page({
      talk: b.talk([
        ...b.asked,
        b.wanted,
        { ...b.answer, text: "I add a second look for large claims", state: "cancelled" },
      ]),
    }),
  "wb-failed": () =>
    failed("AI_PROVIDER_TIMEOUT", "The model did not answer within 60 seconds.", [
      "Ask for less at once.",
      "Raise the time in Your model.",
    ]),
  "wb-budget": () =>
    failed("BUDGET_EXCEEDED", "", [], { extension_url: "/usage?budget=mei&ask=250000" }),
  "wb-interrupted": () =>
    failed("AI_TURN_INTERRUPTED", "The turn was interrupted. Ask again.", ["Send it again."]),
  "wb-over": () => {
    const base = b.talk([...b.asked], { over: true });
    return b.page({
      talk: { ...base, composer: { ...base.composer, off: t("wb.off.closed") } },
      foot: b.foot("closed", t("wb.foot.none")),
    });
  },
  "wb-earlier": () =>
    b.page(
      {},
      {
        menu: {
          label: t("wb.earlier.about", { name: "Motor claim" }),
          anchor: null,
          at: { x: 1_060, y: 132 },
          items: [
            { heading: t("wb.earlier.about", { name: "Motor claim" }) },
            {
              id: "conversation as_1",
              label: "What happens today with a claim over €5,000?",
              sub: `14:05 · ${t("wb.earlier.waits")}`,
              value: t("wb.earlier.shown"),
              off: true,
            },
            {
              id: "conversation as_2",
              label: "Make the letter shorter and name the excess, the vehicle class and who…",
              sub: `12 Nov 09:12 · ${t("wb.earlier.applied")}`,
            },
            {
              id: "conversation as_3",
              label: t("wb.earlier.silent"),
              sub: `11 Nov 16:40 · ${t("wb.earlier.ended")}`,
            },
            "line",
            { id: "conversation-new", label: t("wb.earlier.new"), icon: "plus" },
          ],
        },
      },
    ),
  "wb-context": () => b.page({}, { pane: "ctx" }),
  "wb-context-unread": () =>
    b.page(
      {
        context: {
          ...b.idle().context,
          state: "failed",
          problem: { code: "OFFLINE", message: "There is no answer." },
          groups: [],
          trimmed: [],
        },
      },
      { pane: "ctx" },
    ),
  "wb-provider": () => {
    const base = b.talk(b.asked, {
      off: { title: t("wb.model.AI_DISABLED"), href: "/crew/profile" },
    });
    const why = t("wb.model.AI_DISABLED");
    return b.page({
      head: {
        ...b.idle().head,
        model: { state: "none", name: "", why, href: "/crew/profile" },
      },
      talk: { ...base, composer: { ...base.composer, off: t("wb.off.model") } },
    });
  },
  "wb-long": () =>
    b.page({
      head: {
        ...b.idle().head,
        name: "Haftpflichtschadenersteinschätzungsverfahren mit Drittbeteiligung und Auslandsbezug",
        type: "step",
        id: "haftpflichtschaden-ersteinschaetzung-mit-drittbeteiligung",
        workflow: "Motor claim with third parties abroad",
        project: "Claims desk of the Northbridge Insurance Company, Nordic branch",
        model: {
          state: "own",
          name: "northbridge/writer-large-2026-11-instruct-q8_0",
          why: "",
          href: "/crew/profile",
        },
      },
      talk: b.talk([
        { ...b.wanted, text: `https://example.com/${"a-very-long-address-".repeat(8)}` },
        { ...b.answer, text: `Read \`${"assets/guides/".repeat(8)}a.md\`.` },
      ]),
    }),
  "wb-step": () =>
    b.page(
      {
        head: {
          ...b.idle().head,
          name: "Assess damage",
          type: "step",
          id: "assess",
          workflow: "Motor claim",
        },
        middle: { ...b.idle().middle, title: "", now: c.step },
      },
      { pane: "change" },
    ),
  "wb-query-error": () =>
    b.page(
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
  "wb-talk-offline": () => {
    const base = b.talk(b.asked);
    return b.page(
      { talk: { ...base, composer: { ...base.composer, off: t("composer.off.offline") } } },
      { offline: true, now: minute(24) },
    );
  },
};
