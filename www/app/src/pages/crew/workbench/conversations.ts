/** The conversations about a target, as a menu offers them. Pure. */
import type { CrewSession } from "@holdpoint/core/crew";
import { format, type MenuItem, t } from "@holdpoint/elements";

/** `shown`: the one that is open. */
export function conversationItems(
  all: readonly CrewSession[],
  shown: CrewSession | null,
  name: string,
  now: number,
): MenuItem[] {
  const rows = all.map((one): MenuItem => {
    const here = one.sessionId === shown?.sessionId;
    return {
      id: `conversation ${one.sessionId}`,
      label: one.title || t("wb.earlier.silent"),
      sub: [format.when(moment(one.updatedAt), now), standing(one)].filter(Boolean).join(" · "),
      ...(here ? { value: t("wb.earlier.shown"), off: true } : {}),
    };
  });
  return [
    { heading: t("wb.earlier.about", { name }) },
    ...rows,
    "line",
    { id: "conversation-new", label: t("wb.earlier.new"), icon: "plus" },
  ];
}

const moment = (at: number | string): number => (typeof at === "number" ? at : Date.parse(at));

function standing({ status, suggestionStatus }: CrewSession): string {
  const ended = status === "active" ? "" : t("wb.earlier.ended");
  const open =
    status === "active" && (suggestionStatus === "staged" || suggestionStatus === "validated");
  if (open) return t("wb.earlier.waits");
  return [suggestionStatus === "applied" ? t("wb.earlier.applied") : "", ended]
    .filter(Boolean)
    .join(" · ");
}
