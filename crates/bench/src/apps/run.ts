// The tasks of the benchmark on a running stack: each on a new app, through the routes alone; and how long builds take.
//
// Usage: node --import tsx run.ts ORIGIN KEYS_FILE TASKS_FILE REPEAT BUILDS. Prints a line of JSON a run (`Ran` of
// `apps/ran.rs`), and one a template whose builds were measured (`Builds`). What it sees is told, never judged.
import { readFileSync } from "node:fs";
import { Api, type App, type Revision, type Told } from "./api.ts";
import { walk } from "./steps.ts";
import { startBrowser } from "../../../../tests/web/browser.ts";

interface Task {
  id: string;
  template: string;
  seed_operations: { op: string; path: string; content?: string }[];
  request: string;
  expect: Record<string, unknown>[];
}

interface Proposal {
  base_revision_id: string;
  base_hash: string;
  patch_id: string;
  result_hash: string;
  confirm_token?: string | null;
  diagnostics: { severity: string }[];
}

const [origin = "", keysFile = "", tasksFile = "", repeat = "1", builds = "0"] =
  process.argv.slice(2);
const { user_token: token } = JSON.parse(readFileSync(keysFile, "utf8"));
const { tasks }: { tasks: Task[] } = JSON.parse(readFileSync(tasksFile, "utf8"));
const api = new Api(origin, token);
const browser = await startBrowser();
const tell = (line: object) => console.log(JSON.stringify(line));

/** A new app with its first revision; its build goes on. */
async function made(name: string, template: string): Promise<[App, Revision]> {
  const app = await api.good<App>("POST", "", { name, template_key: template });
  return [app, await revision(app, app.current_draft_revision_id)];
}

const revision = (app: App, id: string): Promise<Revision> =>
  api.good("GET", `/${app.id}/builder/revisions/${id}?include=files`);

/** What the events of a run come to, with the times at which they came. */
function heard(told: Told[]) {
  const at = (...events: string[]) => told.find(({ event }) => events.includes(event))?.ms;
  const gates = ["compile", "test", "worker_build", "bundle"];
  const tools = told.filter(({ event }) => event === "tool");
  const done = told.at(-1)?.data.data;
  const staged = tools.some(({ data: { data } }) => data.tool === "apply_patch_dry_run");
  const verified = told.find(({ event }) => event === "patch_ops")?.data.data.verified;
  return {
    outcome: done?.outcome ?? "",
    proposal: done?.proposal_id as string | undefined,
    code: told.find(({ event }) => event === "error")?.data.data.code,
    answer: told
      .filter(({ event }) => event === "token")
      .map(({ data }) => data.data.content)
      .join(""),
    staged,
    tests: verified?.tests ?? false,
    gate_failed: tools.some(
      ({ data }) => data.data.status === "failed" && gates.includes(data.stage),
    ),
    first_ms: at("token", "tool"),
    edit_ms: at("patch_ops"),
    whole_ms: told.at(-1)?.ms ?? 0,
    tokens: (done?.usage?.input_tokens ?? 0) + (done?.usage?.output_tokens ?? 0),
  };
}

async function once(task: Task, round: number): Promise<void> {
  const [app, first] = await made(`${task.id} ${round}`, task.template);
  await api.built(app.id, first.id);
  const before = { ...first.files };
  for (const { op, path, content = "" } of task.seed_operations) {
    if (op === "delete_file") delete before[path];
    else before[path] = content;
  }
  const isSeeded = task.seed_operations.length > 0;
  if (isSeeded) {
    const copy = { base_revision_id: first.id, files: before, entry_file: first.entry_file };
    await api.good("PUT", `/${app.id}/builder/working-copy`, copy);
  }
  const { proposal, staged, ...run } = heard(
    await api.stream(`/${app.id}/builder/chat/stream`, {
      input: task.request,
      base_revision_id: first.id,
      ...(isSeeded ? { from: "working_copy" } : {}),
    }),
  );
  const own = { before, after: before, entry_file: first.entry_file };
  const ran = { task: task.id, round, ...run, ...own, catalog: app.catalog_version };
  if (!proposal) {
    tell({ ...ran, clean: staged ? false : null });
    return;
  }
  const path = `/${app.id}/builder/proposals/${proposal}`;
  const offered = await api.good<Proposal>("POST", `${path}/preview`, {});
  const clean = !offered.diagnostics.some(({ severity }) => severity === "error");
  if (run.outcome !== "succeeded") {
    tell({ ...ran, clean });
    return;
  }
  const { base_revision_id, base_hash, patch_id, result_hash, confirm_token } = offered;
  const signed = { base_revision_id, base_hash, patch_id, result_hash };
  const applied = await api.ask<Revision>("POST", `${path}/apply`, {
    ...signed,
    ...(confirm_token ? { confirm_token } : {}),
  });
  if (applied.status !== 200) {
    tell({ ...ran, clean, refused: applied.code });
    return;
  }
  const version = await revision(app, applied.value.id);
  const { build_status: build } = await api.built(app.id, version.id);
  const page: string[] = [];
  for (const { page: asked } of task.expect as { page?: { steps: Record<string, unknown>[] } }[]) {
    if (!asked || build !== "succeeded") continue;
    const token = `/${app.id}/builder/revisions/${version.id}/preview-token`;
    const { preview_url } = await api.good<{ preview_url: string }>("POST", token);
    page.push(...(await walk(browser, preview_url, asked.steps)));
  }
  tell({ ...ran, clean, build, page, after: version.files, entry_file: version.entry_file });
}

/** The revision that a save makes, and the milliseconds until its build has ended well. */
async function saved(app: App, base: Revision, files: Record<string, string>) {
  const from = performance.now();
  const body = { base_revision_id: base.id, files, entry_file: base.entry_file };
  const version = await api.good<Revision>("POST", `/${app.id}/builder/revisions`, body);
  const { build_status, build_error } = await api.built(app.id, version.id);
  if (build_status !== "succeeded") throw new Error(`a save did not build: ${build_error}`);
  return { version: { ...version, files }, ms: performance.now() - from };
}

/** A package of the catalogue that no template declares. */
const NEW_PACKAGE = "nanoid";

/** The project with one more package, in the version of its catalogue. */
function withPackage({ catalog_version }: App, files: Record<string, string>) {
  const catalog = new URL(`../../../kind-app/data/catalog-${catalog_version}.json`, import.meta.url);
  const { packages } = JSON.parse(readFileSync(catalog, "utf8"));
  const declared = JSON.parse(files["package.json"] ?? "{}");
  declared.dependencies[NEW_PACKAGE] = packages[NEW_PACKAGE];
  return { ...files, "package.json": `${JSON.stringify(declared, null, 2)}\n` };
}

/** Warm builds of one template, each of a tree that was not built before; then the first one with a new package. */
async function timed(template: string, times: number): Promise<void> {
  const [app, first] = await made(`Builds of ${template}`, template);
  await api.built(app.id, first.id);
  let version = first;
  const warm: number[] = [];
  for (let number = 0; number <= times; number++) {
    const style = `:root {\n  --measured: ${number};\n}\n`;
    const next = await saved(app, version, { ...version.files, "src/measured.css": style });
    // The first one is not counted: the layer of packages may be made by it.
    if (number > 0) warm.push(next.ms);
    version = next.version;
  }
  const { ms: first_ms } = await saved(app, version, withPackage(app, version.files));
  tell({ template, warm, first_ms });
}

for (let round = 1; round <= Number(repeat); round++)
  for (const task of tasks) await once(task, round);
if (Number(builds) > 0)
  for (const template of new Set(tasks.map((task) => task.template)))
    await timed(template, Number(builds));
await browser.close();
