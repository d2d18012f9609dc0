/**
 * The nodes of the widget DSL as types (widget.schema.json). The checker has seen every bundle; here they are only
 * read.
 */
import type { Json } from "@holdpoint/core/types";

type Base = { showIf?: string };
export type Stack = Base & {
  type: "Stack";
  direction: "vertical" | "horizontal";
  children: Node[];
  gap?: "none" | "sm" | "md" | "lg";
  align?: "start" | "center" | "end" | "stretch";
  justify?: "start" | "center" | "end" | "between";
};
export type Group = Base & { type: "Group"; title?: string; children: Node[] };
export type Text = Base & {
  type: "Text";
  text: string;
  variant?: "heading" | "body" | "caption";
  tone?: "info" | "warn" | "error" | "success" | "muted";
};
export type Choice = { label: string; value: string | number | boolean };
export type Field = Base & {
  type: "Field";
  label: string;
  binding: string;
  variant:
    | "text"
    | "number"
    | "boolean"
    | "select"
    | "multiSelect"
    | "entityPicker"
    | "colorPicker"
    | "file";
  options?: Choice[];
  placeholder?: string;
  required?: boolean;
  changeCommand?: string;
};
export type Button = Base & {
  type: "Button";
  label: string;
  command: string;
  args?: Record<string, Json>;
  variant?: "primary" | "secondary" | "destructive" | "ghost";
  icon?: string;
  disabled?: boolean | string;
};
export type Column = {
  title: string;
  field: string;
  align?: "left" | "center" | "right";
  width?: number;
  format?: "text" | "number" | "percent" | "integer" | "date";
};
export type Table = Base & {
  type: "Table";
  data: string;
  columns: Column[];
  rowCommand?: string;
  emptyText?: string;
};
export type Chart = Base & {
  type: "Chart";
  variant: "bar" | "line" | "pie";
  data: string;
  xField?: string;
  yField?: string;
  title?: string;
};
export type Markdown = Base & { type: "Markdown"; content: string };
export type Tabs = Base & {
  type: "Tabs";
  tabs: { id: string; label: string; children: Node[] }[];
  defaultTab?: string;
};
export type Separator = Base & { type: "Separator" };
export type EmptyState = Base & {
  type: "EmptyState";
  heading: string;
  body?: string;
  cta?: { label: string; command: string; args?: Record<string, Json> };
};
export type Spinner = Base & { type: "Spinner"; label?: string };
export type ErrorBanner = Base & { type: "ErrorBanner"; message: string; retryCommand?: string };
export type EntityList = Base & {
  type: "EntityList";
  data: string;
  idField: string;
  labelField?: string;
};
export type TreeList = Base & {
  type: "Tree";
  data: string;
  labelField: string;
  childrenField: string;
  rowCommand?: string;
};
export type KeyValueGrid = Base & {
  type: "KeyValueGrid";
  rows: { label: string; value: string | number | boolean }[];
};
export type Node =
  | Stack
  | Group
  | Text
  | Field
  | Button
  | Table
  | Chart
  | Markdown
  | Tabs
  | Separator
  | EmptyState
  | Spinner
  | ErrorBanner
  | EntityList
  | TreeList
  | KeyValueGrid;
