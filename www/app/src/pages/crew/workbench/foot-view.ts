/** The foot of the workbench and its dialog: what can be signed, and why not. Pure. */
import { format, t } from "@holdpoint/elements";
import type { ConfirmView } from "@holdpoint/elements/crew/workbench/view";
import type { FootView } from "@holdpoint/elements/review/approval";
import type { Written } from "./applying.js";
import type { Bench } from "./bench.js";
import type { Change } from "./change.js";
import * as changes from "./change.js";
import { checkOf, claimed, running } from "./facts.js";
import type { Names } from "./names.js";
import { versionOf } from "./now.js";
import { offOf } from "./talk-view.js";

export function footOf(bench: Bench): FootView {
  const { applying, change } = bench;
  const cancel = {
    id: "cancel",
    label: t("wb.cancel"),
    testid: "wb-cancel",
    alt: true,
    quiet: true,
  };
  const { written } = applying;
  if (!change && written) return done(bench, written);
  const reason = closedBy(bench);
  const failed = checkOf(change) === "failed";
  const n = changes.errorsOf(change?.answer.validation ?? null).length;
  const fix = { id: "fix", label: t("wb.fix", { n }), testid: "wb-fix", alt: true };
  const before = failed && !running(bench) && !offOf(bench) ? [cancel, fix] : [cancel];
  if (!change || reason)
    return {
      state: applying.sending ? "sending" : "closed",
      reason: reason || t("wb.foot.none"),
      main: { id: "apply", label: t("wb.apply"), look: "plain", testid: "wb-apply" },
      before,
    };
  return { state: "waits", reason: policyOf(bench, change), main: signature(change), before };
}

const signature = (change: Change): FootView["main"] => ({
  id: "apply",
  label: t("wb.apply.n", { n: changes.objectsOf(change).length }),
  look: "sign",
  icon: "check",
  testid: "wb-apply",
  print: changes.printOf(change),
  mono: true,
});

function policyOf({ applying, asking }: Bench, change: Change): string {
  if (applying.conflict) return t("wb.foot.conflict");
  if (applying.inverse && applying.inverse === change.suggestion.changeSetId)
    return t("wb.foot.undo");
  const claims = asking ? claimed(asking.session.view.messages, change).length : 0;
  return claims
    ? t("wb.foot.claims", { n: claims })
    : t("wb.foot.waits", { n: change.rows.length });
}

/** Why the signature is closed, in words; empty while it can be given. */
function closedBy(bench: Bench): string {
  const { applying, change, reading, info, around } = bench;
  if (applying.sending) return t("wb.foot.sending");
  if (running(bench)) return t("wb.foot.running");
  if (reading) return t("wb.foot.checking");
  if (!change) return t("wb.foot.none");
  if (info && info.status !== "active") return t("wb.foot.closed");
  if (checkOf(change) !== "passed" || !change.answer.preview) return t("wb.foot.failed");
  return around.online() ? "" : t("wb.foot.offline");
}

function done({ applying, query }: Bench, { at, counters, undone }: Written): FootView {
  const version = versionOf(query, counters);
  const time = format.time(at);
  const words = undone ? "wb.foot.undone" : "wb.foot.done";
  const given = version ? t(`${words}.version`, { time, version }) : t(words, { time });
  return {
    state: "done",
    reason: applying.undoing ? t("wb.undo.off") : given,
    reasonIcon: applying.undoing ? "spin" : "ok",
    reasonLook: applying.undoing ? "spin" : "c-pass",
    main: { id: "back", label: t("wb.back"), look: "primary" },
    before: [
      {
        id: "undo",
        label: t(undone ? "wb.redo" : "wb.undo"),
        icon: undone ? "redo" : "undo",
        testid: "wb-undo",
        quiet: false,
        off: applying.undoing,
      },
    ],
  };
}

export function confirmOf(bench: Bench, names: Names): ConfirmView | null {
  const { applying, change } = bench;
  const reasons = change?.answer.preview?.confirm ?? [];
  if (!applying.confirm || !change) return null;
  const { confirmed } = applying.confirm;
  const main = signature(change);
  const deletes = reasons.includes("delete") ? deletesOf(change, names) : [];
  const secrets = reasons.includes("secret") ? secretsOf(change) : [];
  return {
    heading: headingOf(change, deletes.length > 0, secrets.length),
    deletes,
    secrets,
    confirmed,
    sending: applying.sending,
    foot: {
      state: confirmState(confirmed, applying.sending),
      reason: confirmed
        ? t(deletes.length ? "wb.confirm.undo" : "wb.confirm.undo.secret")
        : t("wb.confirm.first"),
      main: { ...main, id: "confirm", testid: "wb-confirm-apply" },
      before: [
        {
          id: "confirm-back",
          label: t("wb.confirm.back"),
          quiet: false,
          off: applying.sending,
        },
      ],
    },
  };
}

function confirmState(confirmed: boolean, sending: boolean): FootView["state"] {
  if (sending) return "sending";
  return confirmed ? "waits" : "closed";
}

function headingOf(change: Change, deletes: boolean, secrets: number): string {
  const gone = t("wb.confirm.deletes", { what: changes.deletesOf(change) });
  const found = t("wb.confirm.secrets", { n: secrets });
  if (deletes && secrets) return t("wb.confirm.both", { deletes: gone, secrets: found });
  return deletes ? gone : found;
}

/** Each delete by its path, how much goes, and who still cites it. */
function deletesOf(change: Change, names: Names): ConfirmView["deletes"] {
  const affected = change.answer.validation?.meta?.affected ?? [];
  const cited = format.listed(affected.map((key) => names.placed(key)));
  return change.rows
    .filter(({ status }) => status === "D")
    .map(({ file, before }) => {
      const n = change.diffs.get(file)?.stats.deleted ?? 0;
      const size = format.bytes(new TextEncoder().encode(before ?? "").length);
      const words = [t("wb.confirm.lines", { size, n })];
      if (cited) words.push(t("wb.confirm.cited", { names: cited }));
      return { path: file, sub: words.join(" ") };
    });
}

/** Files that the check found a secret in. */
function secretsOf(change: Change): ConfirmView["secrets"] {
  const found = (change.answer.validation?.warnings ?? []).filter(
    ({ code }) => code === "SECRET_IN_CONTENT",
  );
  const paths = new Set(found.map(({ file, path }) => file ?? path));
  return [...paths].map((path) => ({ path, sub: t("wb.confirm.secret") }));
}
