/** States of the workbench in which a change stands there, or stood there (UI.md §12). */
import { t } from "@holdpoint/elements";
import type { BenchView, SavedView } from "@holdpoint/elements/crew/workbench/view";
import type { WorkbenchPageView } from "../../src/pages/crew/workbench/page-view.js";
import { minute } from "../fixtures.js";
import * as b from "./bench.js";
import * as c from "./change.js";

const FRESH = "90C4 17AE";

const saved = (who: string, what: string, at: string): SavedView => ({
  ...{ who, what, at },
  version: 32,
  href: "/crew/prj_1/compare/31/32",
});

/** The check did not pass. */
const invalid = (repairs: number): Partial<BenchView> => ({
  ...b.shown(),
  change: { ...c.change(), check: "failed", errors: 3 },
  middle: { ...b.shown().middle, errors: c.errors, repairs },
  talk: b.talk([b.wanted, b.answer], b.said(b.card("failed"))),
  foot: {
    ...b.foot("closed", t("wb.foot.failed")),
    before: [
      { id: "cancel", label: t("wb.cancel"), testid: "wb-cancel", alt: true, quiet: true },
      { id: "fix", label: t("wb.fix", { n: 3 }), testid: "wb-fix", alt: true },
    ],
  },
});

/** Something was applied. */
const applied = (newer: boolean, undone = false): WorkbenchPageView =>
  b.page(
    {
      middle: {
        ...b.idle().middle,
        is: "result",
        title: "",
        applied: {
          print: b.PRINT,
          at: minute(22),
          undone,
          files: c.change().files,
          newer: newer
            ? [
                {
                  part: "agents",
                  provided: 7,
                  current: 8,
                  saved: [saved("Mei Chen", t("wb.part.agents"), "14:18")],
                },
              ]
            : [],
          version: t("wb.version", { n: 32 }),
        },
      },
      talk: b.talk(
        [b.wanted, b.answer],
        b.said({ ...b.card("applied"), version: t("wb.version", { n: 32 }) }),
      ),
      foot: {
        state: "done",
        reason: t(undone ? "wb.foot.undone.version" : "wb.foot.done.version", {
          time: "14:22",
          version: t("wb.version", { n: 32 }),
        }),
        reasonIcon: "ok",
        reasonLook: "c-pass",
        main: { id: "back", label: t("wb.back"), look: "primary" },
        before: [
          {
            id: "undo",
            label: t(undone ? "wb.redo" : "wb.undo"),
            icon: undone ? "redo" : "undo",
            testid: "wb-undo",
            quiet: false,
          },
        ],
      },
    },
    { pane: "change", stamp: { print: b.PRINT, changes: 5, files: 5, at: minute(22), undone } },
  );

const confirm = (confirmed: boolean): WorkbenchPageView =>
  b.page(
    {
      ...b.shown(),
      confirm: {
        heading: t("wb.confirm.deletes", { what: t("wb.n.asset", { n: 1 }) }),
        deletes: [
          {
            path: "assets/tables/excess-2025.json",
            sub: `${t("wb.confirm.lines", { size: "3.2 KB", n: 41 })} ${t("wb.confirm.cited", {
              names: t("wb.in", { name: "Settle payment", where: "Water damage" }),
            })}`,
          },
        ],
        secrets: [],
        confirmed,
        sending: false,
        foot: {
          ...b.foot(
            confirmed ? "waits" : "closed",
            t(confirmed ? "wb.confirm.undo" : "wb.confirm.first"),
          ),
          before: [{ id: "confirm-back", label: t("wb.confirm.back"), quiet: false }],
        },
      },
    },
    { pane: "change" },
  );

export const changing: Record<string, () => WorkbenchPageView> = {
  "wb-preview": () => b.page(b.shown(), { pane: "change" }),
  "wb-checking": () =>
    b.page(
      {
        ...b.shown(),
        change: { ...c.change(), check: "running" },
        foot: b.foot("closed", t("wb.foot.checking")),
      },
      { pane: "change" },
    ),
  "wb-claims": () =>
    b.page({
      ...b.shown(),
      change: {
        ...c.change(),
        warnings: 3,
        files: c.change().files.map((one) => ({ ...one, unsaid: one.name === "Senior assessor" })),
      },
      talk: b.talk([b.wanted, b.answer], b.said(b.card("passed"), { claims: c.claims() })),
      foot: b.foot("waits", t("wb.foot.claims", { n: 2 })),
    }),
  "wb-invalid": () => b.page(invalid(2), { pane: "change" }),
  "wb-invalid-first": () => b.page(invalid(0), { pane: "change" }),
  "wb-many": () => {
    const { files, diffs } = c.many();
    return b.page(
      {
        ...b.shown(),
        change: { ...c.change(), files, selected: files[0]?.file ?? "" },
        middle: { ...b.shown().middle, files: diffs },
      },
      { pane: "change" },
    );
  },
  "wb-confirm": () => confirm(true),
  "wb-confirm-first": () => confirm(false),
  "wb-conflict": () =>
    b.page(
      {
        ...b.shown(),
        change: {
          ...c.change(),
          files: c.change().files.map((one, i) => ({ ...one, different: i === 0 })),
        },
        middle: {
          ...b.shown().middle,
          conflict: {
            objects: ["Motor claim"],
            saved: [saved("Jonas Berg", "Motor claim", "14:19")],
            files: ["workflows/1/workflow.graph.json"],
            same: 4,
            before: b.PRINT,
            after: FRESH,
          },
        },
        talk: b.talk([b.wanted, b.answer], b.said(b.card("stale"))),
        foot: b.foot("waits", t("wb.foot.conflict"), FRESH),
      },
      { pane: "change" },
    ),
  "wb-applied": () => applied(true),
  "wb-applied-plain": () => applied(false),
  "wb-undone": () => applied(false, true),
  "wb-undo": () =>
    b.page({ ...b.shown(), foot: b.foot("waits", t("wb.foot.undo")) }, { pane: "change" }),
  "wb-problem": () =>
    b.page(b.shown(), {
      pane: "change",
      problem: {
        heading: "wb.problem.apply",
        name: "",
        error: {
          code: "AI_APPLY_FAILED",
          message: "The change could not be written. Nothing was applied. Try it again.",
        },
      },
    }),
  "wb-offline": () =>
    b.page(
      { ...b.shown(), foot: b.foot("closed", t("wb.foot.offline")) },
      { pane: "change", offline: true },
    ),
  "wb-unavailable": () =>
    b.page({ change: { ...b.NOTHING, unavailable: true } }, { pane: "change" }),
};
