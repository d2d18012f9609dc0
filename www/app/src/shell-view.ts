/** What every page shows around its content. The controller (or a fixture of the gallery) fills it. */
import type { Indicator } from "@holdpoint/core/types";
import type { Failing, Language, MenuItem, TextKey } from "@holdpoint/elements";
import type { QuestionView } from "@holdpoint/elements/shell/question";

export type Theme = "system" | "light" | "dark";
export type Density = "comfortable" | "compact";

/** What was wanted and not done, in a line above the page. */
export interface Problem {
  heading: TextKey;
  name: string;
  error: Failing;
}

export interface SignInView {
  reason: "missing" | "unknown" | "expired" | "offline";
  refused: string;
  sending: boolean;
}

export interface ShellView {
  /** Alone on the page: the sign-in, or a question about whose work is on the device. */
  signIn: SignInView | { question: QuestionView } | null;
  indicator: Indicator | null;
  offline: boolean;
  menu: {
    label: string;
    items: MenuItem[];
    anchor: HTMLElement | null;
    at?: { x: number; y: number };
  } | null;
  /** What was done, and whether it can be taken back; a failure is no toast. */
  toast: { text: string; sub: string; undo?: boolean } | null;
  problem: Problem | null;
  theme: Theme;
  density: Density;
  language: Language;
  now: number;
}
