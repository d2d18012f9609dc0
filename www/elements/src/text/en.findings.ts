/** Texts of findings, whoever found them. */
export const findings = {
  "findings.errors": { one: "{n} error", other: "{n} errors" },
  "findings.hints": { one: "{n} hint", other: "{n} hints" },
  "findings.none": "No findings",
  "findings.line": "line {n}",
  "findings.list": "Findings",
  "findings.fix": "Fix it",
  "finding.at": "line {line}, column {column}",
  "finding.pointer": "at {pointer}",
  "finding.expected": "Expected",
  "finding.was": "Was",
  "finding.open": "Open {path} at line {line}",
  "finding.hint": "What helps: {hint}",
  "findings.new": "New",
  "findings.more": { one: "Show {n} more", other: "Show {n} more" },
} as const;
