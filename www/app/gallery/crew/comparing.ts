/** Two versions beside each other. */
import { openPackage } from "@holdpoint/core/crew";
import { t } from "@holdpoint/elements";
import type { CrewBody, CrewPageView } from "../../src/pages/crew/page-view.js";
import { claims } from "../crew-package.js";
import { ID, page } from "./base.js";

function compare(): CrewBody {
  const old = {
    ...claims,
    "workflows/1/workflow.graph.json": (claims["workflows/1/workflow.graph.json"] ?? "")
      .replaceAll("over €5,000", "over €8,000")
      .replaceAll('"fraud"', '"police"')
      .replaceAll("Fraud review", "Ask the police"),
  };
  const [left, right] = [openPackage(old), openPackage(claims)];
  const names = new Map((right.agents ?? []).map((one) => [one.id, one.metadata.name]));
  const row = (name: string, was: string, is: string, strong = true) => ({
    ...{ name, strong },
    left: was,
    right: is,
  });
  return {
    is: "compare",
    view: {
      state: "ready",
      problem: null,
      left: { revision: 29, meta: "10 November" },
      right: { revision: 32, meta: "14:22" },
      counts: { added: 2, removed: 1, changed: 2 },
      workflows: [
        { id: "1", name: "Motor claim", changes: 3 },
        { id: "2", name: "Water damage", changes: 0 },
      ],
      chosen: "1",
      graphs: {
        left: left.workflows[0]?.graph ?? null,
        right: right.workflows[0]?.graph ?? null,
      },
      changed: new Set(["assess"]),
      objects: [
        {
          name: "Motor claim",
          how: "changed",
          members: [
            row(t("crew.cmp.edge"), "How large? · over €8,000 → Ask the police", ""),
            row(t("crew.cmp.edge"), "", "How large? · over €5,000 → Fraud review"),
          ],
        },
        {
          name: "Ask the police",
          how: "removed",
          members: [row(t("crew.nodes.type"), t("crew.type.subworkflow"), "")],
        },
        {
          name: "Assess damage",
          how: "changed",
          members: [
            row(t("crew.node.sets"), "loss_amount", "loss_amount, photos_ok"),
            row(
              t("crew.instructions"),
              t("crew.cmp.lines", { n: 9 }),
              t("crew.cmp.lines", { n: 10 }),
              false,
            ),
          ],
        },
        {
          name: "assets/tables/excess-by-vehicle.json",
          how: "added",
          members: [row(t("crew.size"), "", "17 bytes")],
        },
      ],
      agents: { left: names, right: names },
      back: { name: "Claims desk", href: `/crew/${ID}/versions` },
      restoring: false,
      offline: false,
    },
  };
}

export const compareStates: Record<string, () => CrewPageView> = {
  "crew-compare": () => page(compare()),
};
