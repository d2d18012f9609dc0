/** Each state of the model page (UI.md §6, §7) as a `PageView`, from the same fixtures. */
import type { PageView } from "../src/pages/model/page-view.js";
import { around } from "./model/around.js";
import { page } from "./model/base.js";
import { checks } from "./model/checks.js";
import { reviews } from "./model/reviewing.js";
import { start } from "./model/start.js";

const states = { ...start, ...reviews, ...around, ...checks };

export const stateNames = Object.keys(states);
export const viewOf = (name: string): PageView => (states[name] ?? (() => page))();
