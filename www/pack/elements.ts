// `@holdpoint/elements`: the code of each element, and the same once more with all that it needs, for plain pages.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { BUILD, below, copy, EMITTED, head, ROOT, withEndings, write } from "./layout.ts";

const HOME = join(BUILD, "elements");
const DIST = join(HOME, "dist");

interface Chunk {
  type: "chunk";
  moduleIds: string[];
}

export async function layOutElements(): Promise<void> {
  const emitted = join(EMITTED, "elements/src");
  for (const path of below(emitted)) {
    const text = withEndings(readFileSync(join(emitted, path), "utf8"));
    write(join(DIST, path), named(text));
  }
  const tokens = readFileSync(join(ROOT, "www/elements/src/tokens.css"), "utf8");
  write(join(DIST, "tokens.js"), `export default ${JSON.stringify(tokens)};\n`);
  copy(join(ROOT, "www/elements/src/tokens.css"), join(DIST, "tokens.css"));
  const doors: Record<string, string> = {};
  head("elements", HOME, (source) => {
    const path = source.replace("./src/", "").replace(".ts", "");
    if (path.endsWith(".css")) return `./dist/${path}`;
    if (!path.includes("*")) doors[path.split("/").at(-1) ?? path] = join(DIST, `${path}.js`);
    return { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` };
  });
  write(join(HOME, "THIRD-PARTY.md"), notices(await standalone(doors)));
}

/** The style sheet is a module here; Lit's types are named by the package that is asked for. */
const named = (text: string): string =>
  text.replace("tokens.css?inline", "tokens.js").replaceAll('import("lit-html")', 'import("lit")');

/** Builds the doors with everything inside, and answers the modules that went in. */
async function standalone(doors: Record<string, string>): Promise<string[]> {
  const built = await build({
    root: HOME,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    esbuild: { legalComments: "inline" },
    build: {
      target: "es2022",
      outDir: join(DIST, "standalone"),
      modulePreload: { polyfill: false },
      rollupOptions: {
        input: doors,
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
      },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs.flatMap((output) =>
    "output" in output
      ? output.output.flatMap((one) => (one.type === "chunk" ? (one as Chunk).moduleIds : []))
      : [],
  );
}

/** The licence of each package that the standalone files bring. */
function notices(modules: string[]): string {
  const brought = new Set(
    modules.flatMap((id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []),
  );
  const parts = [...brought]
    .filter((name) => !name.startsWith("@holdpoint/"))
    .sort()
    .map((name) => {
      const folder = join(ROOT, "node_modules", name);
      const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file =
        existsSync(folder) && readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
      return `## ${name} ${version}\n\n${license}\n\n${text}\n`;
    });
  return `# Third-party software\n\nWhat the files below \`dist/standalone\` bring with them.\n\n${parts.join("\n")}`;
}
