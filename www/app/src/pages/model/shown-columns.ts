/** Which columns stand beside the rows, and what is in them. */
import type { ColumnKey } from "@holdpoint/core/types";
import type { ShownColumn } from "@holdpoint/elements";
import type { OpenModels } from "../../core.js";

/** The column that is shown first where a model has it. */
const PREFERRED = ["FireRating", "IsExternal"];

type Models = Pick<OpenModels, "named" | "column" | "preferred">;

/** Attributes, which take a look at every value. */
const isLate = ({ set }: ColumnKey): boolean => set === "";

/** What a person chose as far as the models have it, else one that many look for. */
export async function firstColumns(
  models: Models,
  chosen: readonly ColumnKey[] | null,
): Promise<ShownColumn[]> {
  const all = chosen ?? [];
  const named = await Promise.all(all.map(({ set, name }) => set === "" || models.named(name)));
  const read = await readColumns(
    models,
    all.filter((_, i) => named[i]),
  );
  const kept = read.filter((one) => isLate(one) || one.values.some((value) => value !== null));
  if (kept.length > 0 || chosen?.length === 0) return kept;
  const first = await models.preferred(PREFERRED);
  return first ? readColumns(models, [first]) : [];
}

/** Late ones come without their values. */
export function readColumns(models: Models, keys: readonly ColumnKey[]): Promise<ShownColumn[]> {
  return Promise.all(
    keys.map(async (key) => ({
      ...{ set: key.set, name: key.name },
      ...(isLate(key) ? { values: [] } : await models.column(key.set, key.name)),
    })),
  );
}
