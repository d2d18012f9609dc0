/** Conversation, composer and context of the workbench, as they stand. Pure. */
import type { CrewMessage, TurnRuntime } from "@holdpoint/core/crew";
import { format, has, t } from "@holdpoint/elements";
import type {
  HeadView,
  TalkView,
  TurnCard,
  TurnExtras,
} from "@holdpoint/elements/crew/workbench/view";
import type { Bench } from "./bench.js";
import * as changes from "./change.js";
import { claimsOf } from "./claims.js";
import { contextOf } from "./context.js";
import { checkOf, none, targetOf } from "./facts.js";
import type { Names } from "./names.js";
import { PROFILE } from "./ways.js";

/** The longest message, in characters. */
const MAX_CHARS = 20_000;
/** Which model answers, and why none does. */
export function modelOf({ profile }: Bench): HeadView["model"] {
  if (!profile) return { state: "loading", name: "", why: "", href: PROFILE };
  const { available, code, message, args } = profile.effectiveAvailability;
  if (!available) {
    const why = whyNone(args?.case ? `${code}.${args.case}` : code, code, message);
    return { state: "none", name: "", why, href: PROFILE };
  }
  const own = profile.provider === "openai-compatible";
  const name = (own ? profile.model : profile.resolution?.systemModel) || t("wb.model.default");
  return { state: own ? "own" : "system", name, why: "", href: PROFILE };
}

/** In the words of the page, else of the edge. */
function whyNone(exact: string, code: string, message: string): string {
  const key = [`wb.model.${exact}`, `wb.model.${code}`].find(has);
  return key && has(key) ? t(key) : message;
}

export function talkOf(bench: Bench, names: Names, now: number): TalkView {
  const { asking, around } = bench;
  const view = asking?.session.view;
  const messages = view?.messages ?? [];
  const failed = asking?.failed() ?? null;
  const turns = messages.map((one, i) =>
    failed && i === messages.length - 1 && one.who === "you"
      ? { ...one, state: "failed" as const }
      : one,
  );
  const model = modelOf(bench);
  const { tokens, budget } = context(bench, names);
  const error = view?.failure?.error ?? null;
  const over = bench.info !== null && bench.info.status !== "active";
  return {
    conversation: {
      state: view?.state ?? "loading",
      problem: view?.problem ?? null,
      offline: !around.online(),
      turns,
      outcome: null,
      running: view?.turn ? "chat" : null,
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
      draft: view?.draft ?? "",
      last: messages.findLast((one) => one.who === "you")?.text ?? "",
      hint: t("wb.hint"),
      along: budget ? t("wb.tokens", { n: tokens, of: budget }) : "",
      stopping: t("wb.stopping"),
      ids: { form: "wb-composer", send: "wb-send", stop: "wb-stop", along: "wb-budget" },
      off: offOf(bench),
      sending: false,
      since: view?.turn?.since ?? null,
      waits: view?.failure?.waits ?? 0,
      over: null,
      limit: MAX_CHARS,
      now,
    },
    extras: extrasOf(bench, names),
    failure: over
      ? null
      : failureOf(error ?? messages.at(-1)?.error, failed !== null, view?.failure?.waits ?? 0),
    off: model.state === "none" ? { title: model.why, href: model.href } : null,
    over,
    now,
  };
}

/** Why a turn failed, here or before; of one that ended without a word only that it can be asked again. */
function failureOf(
  error: NonNullable<TalkView["failure"]>["error"] | null | undefined,
  again: boolean,
  waits: number,
): TalkView["failure"] {
  if (error) return { error, again, waits };
  return again
    ? { error: { code: "AI_TURN_INTERRUPTED", message: t("wb.failed.before") }, again, waits }
    : null;
}

/** Why nothing can be asked; empty while it can. */
export function offOf(bench: Bench): string {
  const { around, info } = bench;
  if (!around.online()) return t("composer.off.offline");
  if (info && info.status !== "active") return t("wb.off.closed");
  return modelOf(bench).state === "none" ? t("wb.off.model") : "";
}

function extrasOf(bench: Bench, names: Names): Record<string, TurnExtras> {
  const view = bench.asking?.session.view;
  const all: Record<string, TurnExtras> = {};
  for (const message of view?.messages ?? []) {
    if (message.who === "you") continue;
    const { id, runtime = null, since = 0, result } = message;
    all[id] = {
      runtime,
      since,
      claims: result ? claimsOf(result.warnings, message.text, names, bench.change) : [],
      card: cardOf(bench, message),
      reads: readsOf(runtime),
      warnings: toolWarnings(message),
    };
  }
  return all;
}

/** Objects by the tools that read them. */
const READS = {
  "builder.workflow.read": "wb.n.workflow",
  "builder.step.read": "wb.n.step",
  "builder.agent.read": "wb.n.agent",
  "builder.asset.read": "wb.n.asset",
} as const;

/** What a turn has read: 1 workflow, 2 steps; else that it looked at the context. */
function readsOf(runtime: TurnRuntime | null): string {
  const tools = runtime?.steps.filter(({ is, state }) => is === "tool" && state === "ok") ?? [];
  const counts = Object.entries(READS).map(([tool, key]) => ({
    key,
    n: tools.filter(({ what }) => what === tool).length,
  }));
  const read = counts.filter(({ n }) => n > 0).map(({ key, n }) => t(key, { n }));
  if (read.length) return format.listed(read);
  return tools.some(({ what }) => !what.includes(".change.")) ? t("wb.reads.context") : "";
}

/** Refused tools, and a check that did not pass in the end. */
const toolWarnings = ({ result }: CrewMessage): string[] =>
  (result?.warnings ?? [])
    .filter(({ code }) => code.startsWith("AI_TOOL_"))
    .map((one) => changes.foundOf(one).text);

function cardOf(bench: Bench, { changeSetId, at }: CrewMessage): TurnCard | null {
  if (!changeSetId) return null;
  const { change, applying, applied } = bench;
  const written = applied.get(changeSetId);
  if (written) return { state: "applied", files: 0, ...written };
  const card = { files: change?.rows.length ?? 0, at: at ?? 0 };
  if (change?.suggestion.changeSetId !== changeSetId)
    return { ...card, state: bench.reading ? "staged" : "older", files: 0 };
  if (applying.conflict) return { ...card, state: "stale" };
  const check = checkOf(change);
  return { ...card, state: check === "none" ? "staged" : check };
}

export const context = (bench: Bench, names: Names) =>
  contextOf(
    bench.context,
    bench.contextProblem,
    bench.asking?.out ?? none,
    { key: targetOf(bench), name: names.of(targetOf(bench)) },
    (value) => tokensOf(bench, value),
  );

const sized = new WeakMap<object, number>();
/** As the edge estimates it; a value is counted once. */
function tokensOf({ around }: Bench, value: unknown): number {
  const key = typeof value === "object" && value !== null ? value : null;
  const known = key && sized.get(key);
  if (known) return known;
  const text = JSON.stringify(value) ?? "";
  const { tokens } = around.core.call<{ tokens: number }>("tokens.estimate", {
    kind: "crew-package",
    text,
  });
  if (key) sized.set(key, tokens);
  return tokens;
}
