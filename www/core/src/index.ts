/**
 * What checks, tests and compares: in a page, in Node and on workerd. What only a page has stands in `page.ts`,
 * Python's grammar in `python.ts`.
 */

export { createChecks } from "./check/client.ts";
export { CoreError, loadCore } from "./core.ts";
export { createSandboxClient } from "./sandbox/client.ts";
export type * from "./types.ts";
