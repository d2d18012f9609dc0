/** Long work in slices: the page answers between them. */

/** A slice ends after so long, in ms: well under the 50 that are felt. */
const SLICE_MS = 12;
/** Elements that are sorted in one go. */
const RUN = 256;
/** Steps of a merge between two looks at the clock. */
const STEPS = 256;

const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

/** Sorts stably, as `sort` does; the list stays as it is. */
export async function inSlices<T>(
  list: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<T[]> {
  let until = performance.now() + SLICE_MS;
  const breathe = async (): Promise<void> => {
    if (performance.now() < until) return;
    await pause();
    until = performance.now() + SLICE_MS;
  };
  let runs: T[][] = [];
  for (let i = 0; i < list.length; i += RUN) {
    runs.push(list.slice(i, i + RUN).sort(compare));
    await breathe();
  }
  while (runs.length > 1) {
    const next: T[][] = [];
    for (let i = 0; i < runs.length; i += 2)
      next.push(await merged(runs[i] ?? [], runs[i + 1] ?? [], compare, breathe));
    runs = next;
  }
  return runs[0] ?? [];
}

async function merged<T>(
  left: T[],
  right: T[],
  compare: (a: T, b: T) => number,
  breathe: () => Promise<void>,
): Promise<T[]> {
  const out: T[] = [];
  let [i, k] = [0, 0];
  while (i < left.length && k < right.length) {
    const [a, b] = [left[i] as T, right[k] as T];
    if (compare(a, b) <= 0) {
      out.push(a);
      i += 1;
    } else {
      out.push(b);
      k += 1;
    }
    if (out.length % STEPS === 0) await breathe();
  }
  for (; i < left.length; i += 1) out.push(left[i] as T);
  for (; k < right.length; k += 1) out.push(right[k] as T);
  return out;
}
