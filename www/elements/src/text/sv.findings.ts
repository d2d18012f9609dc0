/** Swedish of findings, whoever found them. */
import type { findings as english } from "./en.findings.js";
import type { Translation } from "./translation.js";

export const findings = {
  "findings.errors": { one: "{n} fel", other: "{n} fel" },
  "findings.hints": { one: "{n} tips", other: "{n} tips" },
  "findings.none": "Inga anmärkningar",
  "findings.line": "rad {n}",
  "findings.list": "Anmärkningar",
  "findings.fix": "Laga",
  "finding.at": "rad {line}, kolumn {column}",
  "finding.pointer": "vid {pointer}",
  "finding.expected": "Väntat",
  "finding.was": "Blev",
  "finding.open": "Öppna {path} på rad {line}",
  "finding.hint": "Vad hjälper: {hint}",
  "findings.new": "Ny",
  "findings.more": { one: "Visa {n} till", other: "Visa {n} till" },
} as const satisfies Translation<typeof english>;
