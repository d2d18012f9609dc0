/** IDS and BCF files in a Web Worker of their own, on a copy of the model: whoever does not want to wait ends it. */

import init, { CheckedModel } from "../../wasm/ids/ids.js";
import { answerWith } from "./answering.ts";
import { type CheckQuestion, NOT_OPEN } from "./protocol.ts";

const ready = init({ module_or_path: new URL("../../wasm/ids/ids_bg.wasm", import.meta.url) });
let model: CheckedModel | undefined;

answerWith<CheckQuestion>(async (request) => {
  await ready;
  if (request.method === "open") {
    model = new CheckedModel(new Uint8Array(await request.file.arrayBuffer()), request.name);
    return null;
  }
  if (!model) throw NOT_OPEN;
  switch (request.method) {
    case "apply":
      return model.apply(request.edits);
    case "check":
      return model.ids(request.file);
    case "bcf":
      return model.bcf(request.topics, request.version);
    case "issues":
      return model.read_bcf(request.file);
  }
});
