/** The place where the core runs: here a page. A packed package has another in its tree for Node, and for workerd. */
export { platform } from "./platform/browser.ts";
