/** Findings of an agent at the field that they are about. */
import { html, type TemplateResult } from "lit";
import { icon } from "../base/icons.js";
import { prose } from "../base/prose.js";
import type { AgentView } from "./view.js";

type Findings = AgentView["findings"];

const at = (findings: Findings, pointer: string): Findings =>
  findings.filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));

/** Whether a field, or what stands in it, has an error. */
export const isBad = (findings: Findings, pointer: string): boolean =>
  at(findings, pointer).some((one) => one.severity === "error");

/** Null where nothing is said of it. */
export function toldAt(findings: Findings, pointer: string): TemplateResult[] | null {
  const found = at(findings, pointer);
  if (!found.length) return null;
  return found.map(
    ({ text, severity }) =>
      html`<p class="msg ${severity === "error" ? "bad" : ""}">
        ${icon(severity === "error" ? "bad" : "med", "s")}<span>${prose(text)}</span>
      </p>`,
  );
}
