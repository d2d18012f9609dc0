/**
 * IFC names break at capitals: `ThermalTransmittance` may wrap as Thermal·Transmittance.
 */
import { html, type TemplateResult } from "lit";

export function breakable(name: string): TemplateResult {
  const parts = name.split(/(?<=[a-z0-9_])(?=[A-Z])/);
  return html`${parts.map((part, i) => (i === 0 ? part : html`<wbr />${part}`))}`;
}
