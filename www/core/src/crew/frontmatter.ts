/**
 * The head of a step file: its fields, and the change of one field that leaves every other byte where it is.
 *
 * The engine reads and writes it, as it does for the check (`loadCrew`).
 */
import type { StepText } from "../generated/StepText";
import { asked } from "./engine.ts";
import type { GraphNode } from "./graph.ts";

export type { StepFields } from "../generated/StepFields";
export type { StepText };

export const readStep = (text: string): StepText => asked("crew.step", { text });

/** A value of the head. Null takes the member away. */
export type FieldValue = string | readonly unknown[] | null;

/** The text with another value for a member of its head; as it was where the head cannot be read. */
export const writeField = (text: string, field: string, value: FieldValue): string =>
  asked<{ text: string }>("crew.set_field", { text, field, value }).text;

/** The file of a step as Holdpoint begins one (crew-package.md §7 "Generated step file"), its sections still empty. */
export const newStep = (node: GraphNode): string =>
  asked<{ text: string }>("crew.new_step", { node }).text;
