/** A refusal of the edge in words: those that the page has for its code, else the sentence that came with it. */
import type { ErrorShape } from "@holdpoint/core/types";
import { spoken } from "../text/spoken.js";
import { has, t } from "../text/index.js";

/** What a person wanted when the edge refused; nothing of it was done. */
export type Wanted = "apply" | "checkpoint" | "clear" | "create" | "read" | "restore" | "save" | "step";

export function refusal({ code, message }: Pick<ErrorShape, "code" | "message">): string {
  const key = `script.refused.${code}`;
  return has(key) ? t(key) : spoken(message);
}
