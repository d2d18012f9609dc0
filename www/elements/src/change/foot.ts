/** What stands at the foot of the column in each state (UI.md §6): composer, stop, or signature. Pure. */
import { amount, fingerprint, short } from "../base/format.js";
import type { FootAction, FootView } from "../review/approval.js";
import type { ComposerView } from "../talk/view.js";
import { type TextKey, t } from "../text/index.js";
import { said } from "../text/said.js";
import { compares, pair } from "./compare.js";
import { withheld } from "./plan-edit.js";
import { shownLetter } from "./versions-view.js";
import { type ChangeState, type ChangeView, openPoints, untried } from "./view.js";

/** The longest request. */
const MAX_REQUEST_CHARS = 8_000;

/** The field in states whose foot it is; `adjusting`: it takes other words for the plan at the gate. */
export function composerFoot(
  view: ChangeView,
  state: ChangeState,
  adjusting: boolean,
): ComposerView | null {
  const adjusts = adjusting && (state === "plan" || state === "overbudget");
  const words = adjusts ? adjustWords() : askWords(view, state);
  if (!words) return null;
  const { draft, sending, now, run } = view;
  return {
    ...words,
    ...{ draft, sending, now },
    mode: adjusts ? "adjust" : "ask",
    modes: [],
    off: adjusts ? adjustingOff(view) : askingOff(view, state),
    last: adjusts ? "" : (run?.request ?? ""),
    since: null,
    waits: 0,
    over: null,
    limit: MAX_REQUEST_CHARS,
  };
}

type Words = Pick<ComposerView, "label" | "placeholder" | "hint">;

const adjustWords = (): Words => ({
  label: t("composer.adjust.label"),
  placeholder: t("composer.placeholder.different"),
  hint: t("composer.hint.plan"),
});

function askWords(view: ChangeView, state: ChangeState): Words | null {
  const label = t("composer.label");
  switch (state) {
    case "empty":
    case "elsewhere":
    case "words":
      return {
        label,
        placeholder: t(view.modelReady ? "composer.placeholder" : "composer.placeholder.opening"),
        hint: t("composer.hint"),
      };
    case "installed":
    case "notstored": {
      const placeholder = t("log.placeholder", { name: view.title });
      return { label, placeholder, hint: t("composer.hint.short") };
    }
    case "cancelled":
    case "drift":
      return { label, placeholder: t("composer.placeholder.next"), hint: t("composer.hint.short") };
    case "error":
      return {
        label,
        placeholder: t("composer.placeholder.different"),
        hint: t("composer.hint.short"),
      };
    default:
      return null;
  }
}

/** Why nothing can be asked, in words; empty while it can. */
function askingOff(view: ChangeView, state: ChangeState): string {
  if (view.offline)
    return t(state === "notstored" ? "composer.off.stored" : "composer.off.offline");
  return view.modelReady ? "" : t("composer.off.opening");
}

const adjustingOff = ({ offline }: ChangeView): string =>
  offline ? t("composer.off.offline") : "";

export function foot(view: ChangeView, state: ChangeState): FootView | null {
  switch (state) {
    case "planning":
    case "problem":
    case "running":
      return running(state);
    case "plan":
    case "overbudget":
      return plan(view, state);
    case "review":
    case "confirm":
    case "moved":
    case "stale":
      return review(view, state);
    case "answered":
      return answered(view);
    case "promote":
      return promote(view);
    case "wrong":
      return wrong(view);
    case "wishes":
      return wishes(view);
    case "source":
      return source(view);
    case "history":
      return history(view);
    default:
      return null;
  }
}

/** A script that ran: nothing is signed here, and what it becomes is reviewed. */
function answered({ offline, modelReady }: ChangeView): FootView {
  return {
    state: "plain",
    reason: t("answer.why"),
    reasonIcon: "info",
    main: {
      ...{ id: "make", label: t("answer.make"), icon: "panel" },
      ...{ look: "primary", testid: "hp-make" },
    },
    beside: { id: "rerun", label: t("answer.again"), icon: "again", off: !modelReady },
    second: [
      { id: "new", label: t("answer.next"), icon: "plus" },
      ...(offline ? [] : [{ id: "plan", label: t("answer.plan"), icon: "fork" as const }]),
    ],
  };
}

function promote({ promoting }: ChangeView): FootView {
  const named = Boolean(promoting?.name.trim());
  return {
    state: named ? "plain" : "closed",
    reason: t(named ? "promote.why" : "promote.why.name"),
    ...(named ? { reasonIcon: "info" as const } : {}),
    main: { id: "promote", label: t("promote.go"), look: "primary", testid: "hp-promote-go" },
    beside: { id: "back", label: t("promote.back") },
  };
}

function wrong(view: ChangeView): FootView {
  const { should = "", of } = view.wrong ?? {};
  const ready = Boolean(should.trim()) && !view.offline;
  const most = of ? of.most : mostOf(view);
  const off = view.offline ? t("composer.off.offline") : t("wrong.needs");
  return {
    state: ready ? "plain" : "closed",
    reason: ready ? t(of ? "wrong.stays" : "wrong.closed") : off,
    main: {
      ...{ id: "test", label: t("wrong.go"), icon: "test", look: "primary" },
      ...{ testid: "hp-wrong-go", ...(most ? { print: t("drift.most", { most }) } : {}) },
    },
    beside: { id: "test-alone", label: t("wrong.alone"), off: !ready },
    second: [{ id: "back", label: t(of ? "app.cancel" : "source.back") }],
  };
}

function wishes({ wishes: view }: ChangeView): FootView {
  const other = view !== null && view !== undefined && view.draft.trim() !== view.kept;
  return {
    state: other ? "plain" : "closed",
    reason: t(other ? "wishes.why" : "wishes.same"),
    reasonIcon: "info",
    main: {
      ...{ id: "wishes-keep", label: t("wishes.keep"), icon: "check", look: "primary" },
      testid: "hp-wishes-keep",
    },
    beside: { id: "back", label: t("wishes.back") },
  };
}

/** What a run of this plan costs at most; empty where nobody knows. */
function mostOf({ quote, run, purse }: ChangeView): string {
  const most = quote
    ? { tokens: quote.tokens.max, cost: quote.cost.max }
    : { tokens: run?.plan?.estimate?.hold_tokens ?? 0, cost: 0 };
  return most.tokens ? short(most, purse?.currency ?? "") : "";
}

function running(state: ChangeState): FootView {
  const cancel = state === "planning";
  return {
    state: "plain",
    reason: t(cancel ? "plan.stop.why" : "run.stop.why"),
    main: {
      id: "stop",
      label: cancel ? t("plan.cancel") : t("run.stop"),
      icon: "stop",
      look: "plain",
      testid: "hp-stop",
    },
  };
}

function plan(view: ChangeView, state: ChangeState): FootView {
  const card = view.run?.plan;
  const currency = view.purse?.currency ?? "";
  const most = view.quote
    ? { tokens: view.quote.tokens.max, cost: view.quote.cost.max }
    : { tokens: card?.estimate?.hold_tokens ?? 0, cost: 0 };
  const approve = {
    id: "approve",
    label: t("plan.approve"),
    icon: "check",
    look: "sign",
    testid: "hp-approve",
    ...(most.tokens ? { print: t("plan.holds", { amount: short(most, currency) }) } : {}),
  } as const;
  const cancel: FootAction = { id: "cancel", label: t("plan.cancel") };
  if (state === "overbudget") {
    const left = view.purse ? amount(view.purse.left, currency) : "0";
    const reason = t("plan.closed.budget", { need: amount(most, currency), left });
    return { state: "closed", reason, reasonLook: "c-fail", main: approve, beside: cancel };
  }
  const adjust: FootAction = { id: "adjust", label: t("plan.adjust") };
  const closed = planClosed(view);
  return {
    state: signature(view, closed),
    reason: closed || t("plan.hold"),
    ...(closed && view.settled && !view.offline ? { reasonAction: toFinding() } : {}),
    main: approve,
    beside: adjust,
    second: [
      {
        id: "once",
        label: t("answer.run_once"),
        icon: "again",
        off: view.offline || !view.modelReady,
      },
      cancel,
    ],
  };
}

/** Why the plan cannot be signed, in words; empty while it can. */
function planClosed({ offline, run, settled, proposed }: ChangeView): string {
  if (offline) return t("plan.closed.offline");
  if (!settled) return t("closed.wait");
  const plan = run?.plan;
  if (plan?.ok) {
    const without = proposed ? withheld(plan.plan, proposed).length : 0;
    return without ? t("plan.closed.withheld", { n: without }) : "";
  }
  const findings = run?.plan?.diagnostics ?? [];
  const errors = findings.filter((one) => one.severity === "error");
  return `${t("plan.closed", { n: errors.length })} ${errors[0] ? said(errors[0]) : ""}`.trim();
}

/** The column itself acts on it: it brings the first finding into sight. */
export const FINDING = "finding";
const toFinding = (): FootAction => ({ id: FINDING, label: t("plan.closed.show") });

function signature(view: ChangeView, closed: string): FootView["state"] {
  if (view.sending || (closed !== "" && !view.settled && !view.offline)) return "sending";
  return closed ? "closed" : "waits";
}

/** Why the result cannot be signed, in words; empty while it can. */
function reviewClosed(view: ChangeView): string {
  if (view.nobody) return t("review.closed.nobody");
  if (!view.review) return t("review.closed.stale");
  const points = openPoints(view);
  if (points.includes("test")) return t("review.closed.testing");
  if (points.includes("wait")) return t("closed.wait");
  if (points.includes("grant")) return t("review.closed.grant");
  if (points.includes("type")) return t("review.closed.type", { id: view.manifest?.id ?? "" });
  const ticks = points.filter((point) => point === "tick").length;
  if (ticks) return t("review.closed.tick", { n: ticks });
  const trial = untried(view.trial);
  return trial ? t(`preview.closed.${trial}`) : "";
}

function reviewOpen(view: ChangeView, state: ChangeState): string {
  if (state === "moved" || state === "stale") return t("moved.hold");
  if (view.offline) return t("review.hold.offline");
  const letter = shownLetter(view.run?.versions ?? []);
  if (letter) return t(view.trial?.seen ? "versions.hold.tried" : "versions.hold", { letter });
  return t(view.trial?.seen ? "preview.hold" : "review.hold");
}

function review(view: ChangeView, state: ChangeState): FootView {
  const closed = reviewClosed(view);
  const most = mostOf(view);
  const { trial } = view;
  const { versions = [] } = view.run ?? {};
  const letter = shownLetter(versions);
  const isTwo = versions.length === 2;
  const tries: FootAction = {
    id: "preview",
    label: t(trial?.open ? "preview.shut" : "preview.open"),
    icon: "eye",
  };
  const another: FootAction = {
    id: "another",
    label: t(isTwo ? "versions.third" : "review.another"),
    icon: "fork",
    ...(most ? { sub: t("review.another.sub", { amount: most }) } : {}),
  };
  const isWrong: FootAction = {
    id: "wrong",
    label: t("wrong.open"),
    icon: "flag",
    testid: "hp-wrong",
  };
  const second: FootAction[] = [
    ...(trial ? [tries] : []),
    ...(view.brought === "script" ? [] : [another, isWrong]),
    {
      id: "discard",
      label: discards(versions.length),
      danger: true,
      icon: "trash",
      testid: "hp-discard",
    },
  ];
  return {
    state: signature(view, closed),
    reason: view.sending ? t("review.closed.sending") : closed || reviewOpen(view, state),
    reasonLook: "c-hold",
    main: {
      id: "install",
      label: letter ? t("versions.install", { letter }) : t("review.install"),
      icon: "check",
      look: "sign",
      testid: "hp-install",
      mono: true,
      print: view.print ? fingerprint(view.print) : "",
    },
    beside: { id: "source", label: t("review.source"), icon: "code" },
    ...(untried(trial) === "unseen"
      ? { reasonAction: { ...tries, label: t("preview.open") } }
      : {}),
    second: view.offline ? second.filter((one) => !NETWORK.includes(one.id)) : second,
  };
}

/** What needs a model. */
const NETWORK = ["another", "wrong"];

function discards(versions: number): string {
  if (versions === 2) return t("versions.discard.both");
  return t(versions > 2 ? "versions.discard" : "review.discard");
}

function source(view: ChangeView): FootView {
  const edited = view.source
    ? Object.keys(view.source.files).filter(
        (path) => view.source?.files[path] !== view.source?.base[path],
      ).length
    : 0;
  const back: FootAction = {
    id: "back",
    label: t(BACK[view.run?.state ?? ""] ?? "source.back.failed"),
  };
  return {
    state: edited ? "plain" : "closed",
    reason: edited ? t("source.why") : t("source.why.none"),
    main: {
      id: "save",
      label: t("source.save"),
      icon: "check",
      look: "primary",
      print: t("source.count", { n: edited }),
      testid: "hp-save",
    },
    beside: back,
    ...(edited
      ? { second: [{ id: "drop", label: t("source.drop"), danger: true } satisfies FootAction] }
      : {}),
  };
}

/** Where the source leads back to. */
const BACK: Record<string, TextKey> = { review: "source.back", answered: "promote.back" };

function history(view: ChangeView): FootView {
  const list = view.history;
  const back: FootAction = { id: "back", label: t("history.back") };
  const foot = (reason: string, main: FootView["main"]): FootView => ({
    state: "plain",
    reason,
    reasonIcon: "history",
    main,
  });
  if (list?.told)
    return {
      ...foot(t("log.of", { name: list.told.name }), {
        id: "list",
        label: t("history.list"),
        look: "primary",
      }),
      beside: back,
    };
  if (list?.compared)
    return {
      ...foot(t("history.compared.of", { name: list.compared.pair.name }), {
        id: "list",
        label: t("history.list"),
        look: "primary",
      }),
      beside: back,
    };
  if (!list || !compares(list)) return foot(t("history.nothing"), { ...back, look: "plain" });
  const two = pair(list, view.chosen);
  const choose = t(view.chosen.length === 2 ? "history.other" : "history.choose");
  return {
    state: two ? "plain" : "closed",
    reason: two ? t("history.chosen", { from: two.from, to: two.to }) : choose,
    reasonIcon: "history",
    main: {
      id: "compare",
      label: two ? t("history.compare", { from: two.from, to: two.to }) : t("history.compare.two"),
      icon: "diff",
      look: "primary",
    },
    beside: back,
  };
}
