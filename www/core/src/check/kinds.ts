/** The check module of each kind. */

import { CoreError } from "../core.ts";
import type { CheckName } from "../platform/types.ts";

const MODULES: Record<string, CheckName> = {
  "ifc-extension": "check-extension",
  "script-tool": "check-script",
  "crew-package": "check-crew",
  "vite-app": "check-app",
};

/** Throws `INVALID_INPUT` where there is no such kind, as a module does that is asked of another one. */
export function moduleOf(kind: string): CheckName {
  const name = Object.hasOwn(MODULES, kind) ? MODULES[kind] : undefined;
  if (name) return name;
  const known = Object.keys(MODULES)
    .map((id) => `\`${id}\``)
    .join(", ");
  throw new CoreError({
    code: "INVALID_INPUT",
    message: `There is no kind \`${kind}\` here. Use one of ${known}.`,
    details: { pointer: "/kind" },
  });
}
