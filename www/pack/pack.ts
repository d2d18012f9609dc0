// Makes the tarballs that other viewers install: `build/packages/holdpoint-{core,elements}-VERSION.tgz`.
//
// One run of the compiler over both packages, then each is laid out as its README says, and `npm pack` packs it.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { layOutCore } from "./core.ts";
import { layOutElements } from "./elements.ts";
import { BUILD, EMITTED, ROOT } from "./layout.ts";

rmSync(BUILD, { recursive: true, force: true });
mkdirSync(BUILD, { recursive: true });
const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "-p", join(ROOT, "www/pack/emit.json")], { stdio: "inherit" });
await layOutCore();
await layOutElements();
rmSync(EMITTED, { recursive: true });
for (const name of readdirSync(BUILD)) {
  const made = ["pack", "--silent", "--pack-destination", BUILD];
  execFileSync("npm", made, { cwd: join(BUILD, name), stdio: ["ignore", "ignore", "inherit"] });
}
