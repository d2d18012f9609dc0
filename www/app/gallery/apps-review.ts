/** A proposal of an app in its states: open, with points to tick, and as it cannot be signed yet. */
import type { Diagnostic } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { AppReviewView } from "@holdpoint/elements/apps/view";
import { found } from "@holdpoint/elements/findings/view";
import { before, changed, changedPaths, preview, sign, wrong } from "./apps-fixtures.js";

const behaviour = (
  name: string,
  says: string,
  change: AppReviewView["behaviours"][number]["change"],
): AppReviewView["behaviours"][number] => ({
  ...{ path: `src/behaviours/${name}.test.tsx`, says, change },
});

export const review = (): AppReviewView => ({
  ...{ state: "ready", problem: null, summary: "Above the table: one button a trade." },
  ...{ rationale: "", assumptions: ["Due today is not overdue."], files: changed() },
  behaviours: [
    behaviour("trade-filter", "A click on a trade shows only its snags.", "new"),
    behaviour("add-snag", "A snag without a title is not added.", "kept"),
    behaviour("overdue", "A snag that is overdue is red.", "kept"),
  ],
  claims: [],
  changed: changedPaths(),
  taken: { "src/components/SnagTable.tsx": ["h1"], "src/components/TradeFilter.tsx": true },
  gates: { compile: "passed", tests: "passed", build: "passed" },
  ...{ parked: false, stale: false, errors: [], layout: "uni" },
  sheet: {
    ...{ confirm: null, permissions: null, tests: null, notes: [], repaired: false, findings: [] },
    change: {
      ...{ files: changed(), heading: "", layout: "uni", stale: [], asks: "redo" },
      taken: { "src/components/SnagTable.tsx": ["h1"] },
    },
    busy: false,
  },
  foot: {
    ...{ state: "waits", reason: t("apps.review.hold.tested", { n: "15" }), before: before() },
    main: sign(t("script.apply", { n: 2 }), "apply", "hp-apply"),
  },
  result: { ...preview(), state: "result", number: null, print: "5C2E A7D1", picking: null },
});
export const unverified = (): Partial<AppReviewView> => ({
  gates: { compile: "passed", tests: "none", build: "none" },
  sheet: {
    ...review().sheet,
    confirm: {
      reasons: [{ text: t("apps.review.unrun"), path: null, short: "", hunk: null }],
      confirmed: false,
    },
  },
  foot: {
    ...review().foot,
    ...{ state: "closed", reason: t("apps.review.tick", { n: 1 }), reasonLook: "c-hold" },
  },
  result: { ...review().result, address: null, state: "result-none" },
});

/** A result that cannot be signed yet, or at all. */
const closed = (reason: string): Partial<AppReviewView> => ({
  gates: { compile: "passed", tests: "none", build: "none" },
  foot: { ...review().foot, state: "closed", reason },
});
export const building = (): Partial<AppReviewView> => ({
  ...closed(t("apps.review.builds")),
  result: { ...review().result, state: "result-building" },
});
export const unbuildable = (): Partial<AppReviewView> => ({
  ...closed(t("apps.review.errors", { n: 1 })),
  gates: { compile: "passed", tests: "none", build: "failed" },
  errors: [found({ ...wrong } as unknown as Diagnostic)],
  result: { ...review().result, address: null, state: "result-none", print: "" },
});

const UNTITLED = "A snag without a title is not added.";
/** A behaviour that is given up, and words that are not what is done. */
export const lost = (): Partial<AppReviewView> => {
  const { behaviours, sheet, foot } = review();
  const reason = {
    text: `Look at this behaviour: \`${UNTITLED}\` was approved, and nothing tests it any more.`,
    ...{ path: "src/behaviours/add-snag.test.tsx", short: "", hunk: null },
  };
  return {
    behaviours: [
      behaviour("add-snag", UNTITLED, "lost"),
      ...behaviours.filter(({ says }) => says !== UNTITLED),
    ],
    claims: [
      {
        ...{ is: "unchanged", object: "SnagTable.test.tsx", file: "" },
        says: "“The tests in SnagTable.test.tsx were extended.”",
        does: t("claims.not_in", { name: "SnagTable.test.tsx" }),
      },
      {
        ...{ is: "omitted", object: "zustand", says: "", file: "package.json" },
        does: t("claims.changes", { name: "zustand" }),
      },
    ],
    sheet: { ...sheet, confirm: { reasons: [reason], confirmed: false } },
    foot: {
      ...foot,
      ...{ state: "closed", reason: t("apps.review.tick", { n: 1 }), reasonLook: "c-hold" },
    },
  };
};
