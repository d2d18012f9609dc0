/** Reads every value of a model in the worker, in blocks: other questions are answered between them. */

import type { ElementDetail, ModelRow } from "../types.ts";
import { blockOf, type ValueBlock, Values } from "./values.ts";

/** Rows of a block: some tens of milliseconds. */
const BLOCK = 1_000;

/** What of the module's handle is asked; `values` gives a block at once where the module has it. */
export interface Reader {
  rows(): unknown;
  details(ids: Uint32Array): unknown;
  values?(from: number, to: number): unknown;
}

export async function readValues(model: Reader): Promise<Values> {
  const rows = model.rows() as ModelRow[];
  const values = new Values(rows);
  const places = new Map(rows.map((row, at) => [row.id, at]));
  for (let from = 0; from < rows.length; from += BLOCK) {
    const to = Math.min(rows.length, from + BLOCK);
    const ids = (): Uint32Array => Uint32Array.from(rows.slice(from, to), (row) => row.id);
    values.add(
      model.values
        ? (model.values(from, to) as ValueBlock)
        : blockOf(model.details(ids()) as ElementDetail[], places),
    );
    await turn();
  }
  return values;
}

/** Lets messages in that came meanwhile; a timer of a worker would wait for 4 ms each time. */
function turn(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}
