/** The open models as the page lists them, each with a colour of its own. Pure. */
import type { ModelLine } from "@holdpoint/elements";
import type { OpenModels } from "../../core.js";

/** Colours of models are data, as those of extensions: dim enough that what an extension paints stands out. */
const COLOURS = [
  "#5b8fd0",
  "#8a6bc4",
  "#6f9a4a",
  "#5f6b78",
  "#b5719f",
  "#3f9aa0",
  "#8f7a52",
  "#7f86d8",
];

export const modelLines = ({ all, active }: OpenModels): ModelLine[] =>
  all.map((one) => ({
    id: one.facts.model_id,
    place: one.place,
    name: one.facts.name,
    schema: one.facts.schema,
    size: one.facts.size,
    elements: one.facts.elements,
    color: COLOURS[one.place % COLOURS.length] ?? "",
    on: one.on,
    active: one === active,
  }));

/** A file without its ending, where that says no more than that it is a model. */
export const stem = (name: string): string => name.replace(/\.ifc(zip)?$/i, "");
