/** What a new package begins with: a first workflow and agent, or one of the example packages. */
import {
  type Agent,
  archiveName,
  jsonText,
  openPackage,
  record,
  zipped,
} from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";
import { t } from "@holdpoint/elements";
import type { Sample, SampleLine } from "@holdpoint/elements/crew/view";
import type { Around } from "./around.js";

type Example = Exclude<Sample, "nothing">;

/** The example packages, file by file; they are loaded when somebody asks for one. */
const texts = import.meta.glob<string>("../../../../../fixtures/crew/**/*.{json,md,txt,yaml,yml}", {
  query: "?raw",
  import: "default",
});
/** What the folder of an example is called. */
const EXAMPLES: Readonly<Record<Example, RegExp>> = {
  claims: /claim/,
  publishing: /publish/,
  incident: /post-mortem/,
};

/** Where the manifest of an example stands; null where it is not part of this build. */
function root(example: Example): string | null {
  const manifest = Object.keys(texts).find(
    (path) => path.endsWith("/bmad.json") && EXAMPLES[example].test(path),
  );
  return manifest?.slice(0, -"bmad.json".length) ?? null;
}

const held = new Map<Example, SampleLine["holds"]>();

/** The choices of a new package; examples that this build has. */
export function samples(): SampleLine[] {
  const examples = (Object.keys(EXAMPLES) as Example[]).filter((one) => root(one) !== null);
  return [
    { id: "nothing", holds: null },
    ...examples.map((id) => ({ id, holds: held.get(id) ?? null })),
  ];
}

/** Counts what the examples hold, for the form. */
export async function countSamples(): Promise<void> {
  for (const id of Object.keys(EXAMPLES) as Example[]) {
    if (root(id) === null || held.has(id)) continue;
    const { workflows, agents, assets } = openPackage(await filesOf(id));
    held.set(id, {
      workflows: workflows.length,
      agents: agents?.length ?? 0,
      assets: assets.length,
    });
  }
}

async function filesOf(example: Example): Promise<Files> {
  const from = root(example) ?? "";
  const files: Files = {};
  for (const [path, load] of Object.entries(texts))
    if (path.startsWith(from)) files[path.slice(from.length)] = await load();
  return files;
}

/** Makes a package at the edge; its id. */
export async function fill({ api }: Around, name: string, sample: Sample): Promise<string> {
  if (sample !== "nothing") {
    const files = await filesOf(sample);
    const manifest = { ...record(files["bmad.json"]), name };
    const archive = await zipped({ ...files, "bmad.json": jsonText(manifest) });
    return (await api.import(archive, archiveName(name), name)).project_id;
  }
  const { projectId, agentsRevision } = await api.create(name);
  await api.putAgents(projectId, [firstAgent()], agentsRevision);
  await api.createWorkflow(projectId, t("crew.new.workflow"));
  return projectId;
}

/** A package needs an agent before it holds. */
export const firstAgent = (id = "assistant", name = t("crew.new.agent")): Agent => ({
  id,
  metadata: { name, title: name, icon: name.slice(0, 2) },
  persona: {
    role: t("crew.first.role"),
    identity: t("crew.first.identity"),
    communication_style: t("crew.first.style"),
    principles: [t("crew.first.principle")],
  },
});
