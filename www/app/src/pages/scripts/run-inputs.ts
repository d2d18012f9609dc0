/** What a person gives to a run: entered values, files, and how both become a job. Kept on this device. */
import type { VirtualFiles } from "@holdpoint/core/editor";
import {
  type Entered,
  type Field,
  type FieldProblem,
  type Form,
  fieldsOf,
  INPUT_DIR,
  type InputFile,
  type Job,
  valuesOf,
} from "@holdpoint/core/python-run";
import type { Store } from "@holdpoint/core/types";
import { locale } from "@holdpoint/elements";
import type { FormId } from "@holdpoint/elements/run/view";
import { AREA } from "../../tab-drafts.js";

/** A file, and the field that it fills; `field` is empty beside the forms. */
export interface GivenFile extends InputFile {
  form: FormId | "";
  field: string;
}

export interface Given {
  settings: Record<string, Entered>;
  input: Record<string, Entered>;
  files: GivenFile[];
}

/** Larger files of a last run are not kept. */
const KEPT_BYTES = 8 * 1_048_576;

export const nothingGiven = (): Given => ({ settings: {}, input: {}, files: [] });

/** A name without folders and signs that no file has. */
export const fileName = (name: string): string =>
  [...(name.split(/[\\/]/).pop() ?? "")]
    .filter((sign) => sign > "\u001f" && sign !== "\u007f")
    .join("")
    .slice(0, 120) || "file";

export const sizeOf = (files: readonly InputFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.length, 0);

export const given = {
  get: async (store: Store, tool: string): Promise<Given> =>
    (await store.get<Given>(AREA, `script-run:${tool}`)) ?? nothingGiven(),
  keep: (store: Store, tool: string, what: Given): Promise<void> =>
    store.put(AREA, `script-run:${tool}`, {
      ...what,
      files: sizeOf(what.files) <= KEPT_BYTES ? what.files : [],
    }),
};

export interface Forms {
  settings: Form;
  input: Form;
}

export const formsOf = (texts: VirtualFiles): Forms => ({
  settings: fieldsOf(texts["settings_schema.json"], locale().numbers),
  input: fieldsOf(texts["input_schema.json"], locale().numbers),
});

const fills = (files: readonly GivenFile[], form: FormId, field: string): GivenFile | undefined =>
  files.find((file) => file.form === form && file.field === field);

export const fileOf = (what: Given, form: FormId, { name }: Field): GivenFile | undefined =>
  fills(what.files, form, name);

/** What is entered into a form: a field that a file fills holds its text, or where it lies. */
function filled(form: Form, id: FormId, what: Given): Record<string, Entered> {
  const out = { ...what[id] };
  for (const field of form.fields) {
    const file = fileOf(what, id, field);
    if (!file) continue;
    out[field.name] =
      field.is === "file" ? `${INPUT_DIR}/${file.name}` : new TextDecoder().decode(file.bytes);
  }
  return out;
}

export type Problems = Record<FormId, Record<string, FieldProblem>>;

/** The job of these texts, and what is wrong with what was given. */
export function jobOf(texts: VirtualFiles, what: Given): { job: Job; problems: Problems } {
  const forms = formsOf(texts);
  const of = (id: FormId) => valuesOf(forms[id], filled(forms[id], id, what), locale().numbers);
  const [settings, input] = [of("settings"), of("input")];
  const files = new Map<string, Uint8Array>();
  for (const { name, bytes, field } of what.files) {
    // A script that reads a folder finds the file of a field by the field's name as well.
    const ending = /\.\w{1,8}$/.exec(name)?.[0] ?? "";
    if (field && !files.has(field + ending)) files.set(fileName(field) + ending, bytes);
    files.set(name, bytes);
  }
  return {
    problems: { settings: settings.problems, input: input.problems },
    job: {
      text: texts["tool.py"],
      entry: texts["entrypoint.txt"].replace(/^\ufeff/, "").trim(),
      settings: settings.values,
      inputs: input.values,
      files: [...files].map(([name, bytes]) => ({ name, bytes })),
    },
  };
}
