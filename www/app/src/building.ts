/**
 * Says on a page of development which of its parts it waits for, as long as they are being built
 * (`../building.ts`).
 */
import { t } from "@holdpoint/elements";
import type { ViteHotContext } from "vite/types/hot.js";

export function showBuilding(hot: ViteHotContext): void {
  const waiting = new Set<string>();
  const line = Object.assign(document.createElement("p"), {
    className: "building",
    role: "status",
  });
  const show = () => {
    line.textContent = t("page.building", { names: [...waiting].join(", ") });
    if (waiting.size > 0) document.body.append(line);
    else line.remove();
  };
  hot.on("holdpoint:building", ({ name }: { name: string }) => {
    waiting.add(name);
    show();
  });
  hot.on("holdpoint:built", ({ name }: { name: string }) => {
    waiting.delete(name);
    show();
  });
}
