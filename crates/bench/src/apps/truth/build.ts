// Builds projects on a build runner that runs: each line of the input is one (`request` of `truth/mod.rs`), each line of
// the output says how it ended (`Built`).
//
// Usage: node --import tsx build.ts RUNNER TOKEN_FILE. What it sees is told, never judged.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Project {
  id: string;
  entry_file: string;
  files: Record<string, string>;
  blobs: { path: string; hash: string; bytes: number; source: string }[];
}

interface Result {
  status: string;
  code: string | null;
  lockfile?: string;
  diagnostics: { code: string; message: string; path?: string; range?: { start: { line: number } } }[];
}

const LOCK = "package-lock.json";
/** Projects that are built at once: the slots of the runner. */
const AT_ONCE = 2;

const [runner = "", tokenFile = ""] = process.argv.slice(2);
const headers = { authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
let builds = 0;

/** The result of a job, or why the runner does not take it. */
async function job(path: string, project: Project, files: Project["files"]): Promise<Result | string> {
  const blobs = project.blobs.map(({ path, hash, bytes }) => ({ path, hash, bytes }));
  const { entry_file } = project;
  const body = JSON.stringify({ build_id: `truth-${process.pid}-${builds++}`, files, blobs, entry_file });
  const answer = await fetch(runner + path, { method: "POST", headers, body });
  const text = await answer.text();
  if (!answer.ok) return text;
  const frames = text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  return frames.find(({ type }) => type === "result") ?? "the job has no result";
}

async function build(project: Project) {
  for (const { hash, source } of project.blobs) {
    const body = readFileSync(source);
    await fetch(`${runner}/v1/blobs/${hash}`, { method: "PUT", headers, body });
  }
  let files = project.files;
  if (!files[LOCK]) {
    const made = await job("/v1/lock", project, files);
    if (typeof made !== "string" && made.lockfile) files = { ...files, [LOCK]: made.lockfile };
  }
  const result = await job("/v1/builds", project, files);
  if (typeof result === "string") return { refused: result, status: "refused", messages: [result] };
  const messages = result.diagnostics.map(({ message, path, range }) => {
    const place = path ? `${path}${range ? `:${range.start.line}` : ""}: ` : "";
    return place + message;
  });
  return { status: result.status, code: result.code, messages };
}

const waiting: Project[] = [];
for await (const line of createInterface({ input: process.stdin })) waiting.push(JSON.parse(line));
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      console.log(JSON.stringify({ id: project.id, ...(await build(project)) }));
    }
  }),
);
