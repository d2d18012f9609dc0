/** The viewer's model in a Web Worker of its own: one handle, one method a message. */

import init, { ModelHandle } from "../../wasm/model/model.js";
import { ANY_SET } from "../types.ts";
import { answerWith, tell } from "./answering.ts";
import { find } from "./find.ts";
import { type ModelQuestion, NOT_OPEN, type Request } from "./protocol.ts";
import { readValues } from "./reading.ts";
import type { Values } from "./values.ts";

let model: ModelHandle | undefined;
/** Every value, read once somebody asks for what needs them; read again after a change. */
let values: Promise<Values> | undefined;
const ready = init({ module_or_path: new URL("../../wasm/model/model_bg.wasm", import.meta.url) });

/** Values that were being read while the model changed are of no use. */
async function everyValue(of: ModelHandle): Promise<Values> {
  for (;;) {
    values ??= readValues(of);
    const reading = values;
    const read = await reading;
    if (values === reading) return read;
  }
}

async function answer(request: Request<ModelQuestion>): Promise<unknown> {
  await ready;
  if (request.method === "open") {
    const bytes = new Uint8Array(await request.file.arrayBuffer());
    const total = bytes.length;
    // It is reckoned in another thread while the file is read in this one.
    const hash = crypto.subtle.digest("SHA-256", bytes);
    tell({ id: request.id, progress: { stage: "header", read: 0, total } });
    model = new ModelHandle(bytes, request.name, (read: number) => {
      tell({
        id: request.id,
        progress: { stage: read < total ? "elements" : "properties", read, total },
      });
    });
    return { ...model.overview(), model_id: shortened(await hash) };
  }
  if (!model) throw NOT_OPEN;
  switch (request.method) {
    case "tree":
      return model.tree();
    case "rows":
      return model.rows();
    case "columns":
      return model.columns();
    case "choices":
      return (await everyValue(model)).choices();
    case "find":
      return find(await everyValue(model), request.query);
    case "units":
      return model.units();
    case "column":
      return request.set === ANY_SET || request.set === ""
        ? (await everyValue(model)).cells(request.set, request.name)
        : model.column(request.set, request.name);
    case "details":
      return model.details(new Uint32Array(request.ids));
    case "apply":
      model.apply(request.edits);
      values = undefined;
      return model.overview();
  }
}

/** The first 16 hex of a hash. */
const shortened = (hash: ArrayBuffer): string =>
  Array.from(new Uint8Array(hash, 0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");

answerWith(answer);
