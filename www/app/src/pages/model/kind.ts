/** What is made on this page. */
export const KIND = "ifc-extension";

/** Icons of a command (`manifest.schema.json`, `x-icons`). */
export const ICONS = [
  "alert-triangle",
  "box",
  "calculator",
  "camera",
  "check-circle",
  "clipboard-list",
  "download",
  "eye",
  "file-bar-chart",
  "file-text",
  "filter",
  "flame",
  "gauge",
  "hammer",
  "layers",
  "lightbulb",
  "maximize",
  "palette",
  "ruler",
  "scan-search",
  "scissors",
  "settings",
  "shield",
  "sparkles",
  "tag",
  "target",
  "wrench",
] as const;
