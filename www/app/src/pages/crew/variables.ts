/** The variables that a workflow knows: what its steps set, and what its conditions read. */
import { type Graph, readStep, variablesOf } from "@holdpoint/core/crew";
import type { Files } from "@holdpoint/core/types";

/** A head that sets nothing needs no parser. */
const SETS = /^setsVariables:(?!\s*\[\s*\]\s*$)/m;

export class Variables {
  /** What a file set when it was last read; only files that are other now are read again. */
  #read = new Map<string, { text: string; names: readonly string[] }>();

  of(graph: Graph, files: Files): string[] {
    const set = graph.nodes.flatMap(({ file }) => this.#sets(file, files[file] ?? ""));
    const asked = graph.edges.flatMap(({ conditionExpr }) => variablesOf(conditionExpr));
    return [...new Set([...set, ...asked])].sort();
  }

  #sets(path: string, text: string): readonly string[] {
    const known = this.#read.get(path);
    if (known?.text === text) return known.names;
    const names = SETS.test(text) ? (readStep(text).fields?.setsVariables ?? []) : [];
    this.#read.set(path, { text, names });
    return names;
  }
}
