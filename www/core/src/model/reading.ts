/** Reads every value of a model in the worker, in blocks: other questions are answered between them. */

import type { ModelRow } from "../types.ts";
import { type ValueBlock, Values } from "./values.ts";

/** Rows of a block: some tens of milliseconds. */
const BLOCK = 2_000;

/** What of the module's handle is asked: `values` gives the values of rows from one place to another. */
export interface Reader {
  rows(): unknown;
  values(from: number, to: number): unknown;
}

export async function readValues(model: Reader): Promise<Values> {
  const rows = model.rows() as ModelRow[];
  const values = new Values(rows);
  for (let from = 0; from < rows.length; from += BLOCK) {
    values.add(model.values(from, Math.min(rows.length, from + BLOCK)) as ValueBlock);
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
