// What the rig of models does in a page without anything else: both sides open a file, and mesh it.

import "./page.ts";

export type Side = "ours" | "theirs";

/** In the page: milliseconds until tree and rows are there, and until every set is read. */
export async function lists(asked: { url: string; side: Side; sets: boolean }) {
  const file = await (await fetch(asked.url)).blob();
  const from = performance.now();
  if (asked.side === "ours") {
    const client = window.hpModels.createModelClient();
    await client.open(file, "file.ifc", () => undefined, new AbortController().signal);
    const [rows] = await Promise.all([client.rows(), client.tree()]);
    const open = performance.now() - from;
    if (asked.sets) await client.choices();
    const sets = performance.now() - from;
    client.close();
    return { open, sets, rows: rows.length };
  }
  const worker = new Worker("/peer/worker.mjs", { type: "module" });
  const ask = <T>(question: object): Promise<T> =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data.answer);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(question);
    });
  const { rows } = await ask<{ rows: unknown[] }>({ file, what: "lists" });
  const open = performance.now() - from;
  if (asked.sets) await ask({ what: "sets" });
  const sets = performance.now() - from;
  worker.terminate();
  return { open, sets, rows: rows.length };
}

/** In the page: milliseconds until the first shape is there, and until all are. */
export async function meshes(asked: { url: string; side: Side }) {
  const file = await (await fetch(asked.url)).blob();
  if (asked.side === "theirs") {
    const from = performance.now();
    const worker = new Worker("/peer/worker.mjs", { type: "module" });
    let first = 0;
    await new Promise<void>((resolve, reject) => {
      worker.onmessage = ({ data }) => {
        if (data === "first") first = performance.now() - from;
        else resolve();
      };
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ file, what: "meshes" });
    });
    const all = performance.now() - from;
    worker.terminate();
    return { first, all };
  }
  const client = window.hpModels.createModelClient();
  await client.open(file, "file.ifc", () => undefined, new AbortController().signal);
  const byStorey = new Map<number | null, number[]>();
  for (const { id, storey_id = null } of await client.rows()) {
    const known = byStorey.get(storey_id);
    if (known) known.push(id);
    else byStorey.set(storey_id, [id]);
  }
  client.close();
  const groups = [...byStorey].map(([storey, ids]) => ({ storey, ids }));
  const from = performance.now();
  let first = 0;
  await new Promise<void>((done, failed) => {
    window.hpModels.mesh(file, groups, {
      begun: () => undefined,
      batch: ({ shapes }) => {
        if (shapes.length > 0) first ||= performance.now() - from;
      },
      done,
      failed: (message) => failed(new Error(message)),
    });
  });
  return { first, all: performance.now() - from };
}
