/** The viewer's model in a Web Worker of its own: one handle, one method a message. */

import init, { FileBytes, ModelHandle } from "../../wasm/model/model.js";
import { answerWith, tell } from "./answering.ts";
import { Answers } from "./answers.ts";
import type { ModelQuestion } from "./protocol.ts";

const ready = init({ module_or_path: new URL("../../wasm/model/model_bg.wasm", import.meta.url) });
const answers = ready.then(({ memory }) => new Answers({ FileBytes, ModelHandle, memory }));

answerWith<ModelQuestion>(async (request) => {
  const own = await answers;
  if (request.method !== "open") return own.answer(request);
  const { id, file, name } = request;
  return own.open(file, name, (progress) => tell({ id, progress }));
});
