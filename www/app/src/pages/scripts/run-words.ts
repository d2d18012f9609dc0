/** What a run is called and why it ended, in the person's words. */
import { FILES, type VirtualFiles } from "@holdpoint/core/editor";
import {
  type FieldProblem,
  HOME_DIR,
  INPUT_DIR,
  type RunLimits,
  type RunOutcome,
  type RunProblem,
} from "@holdpoint/core/python-run";
import { format, type TextKey, t } from "@holdpoint/elements";
import { megabytes, type RunError, seconds } from "@holdpoint/elements/run/view";

/** Titles of exceptions that people meet; what Python says stands below. */
const TITLES: Record<string, TextKey> = {
  AttributeError: "script.run.error.attribute.title",
  IndexError: "script.run.error.index.title",
  NameError: "script.run.error.name.title",
  UnboundLocalError: "script.run.error.name.title",
  RecursionError: "script.run.error.recursion.title",
  TypeError: "script.run.error.type.title",
  UnicodeDecodeError: "script.run.error.decode.title",
  ValueError: "script.run.error.value.title",
  ZeroDivisionError: "script.run.error.zero.title",
};
const SYNTAX = ["SyntaxError", "IndentationError", "TabError"];
/** Packages that are the page's, or that fetch. */
const OUTSIDE = ["js", "pyodide", "pyodide_js", "requests", "httpx", "aiohttp", "urllib3", "ssl"];
const UNREACHED = /Host is unreachable|unknown url type: https|Network is unreachable|gaierror/;

export function fieldProblem({ code, n, text }: FieldProblem): string {
  return t(`script.run.field.${code}`, {
    ...(n === undefined ? {} : { n }),
    ...(text === undefined ? {} : { text }),
    like: format.decimal(1_234.5),
  });
}

/** `KeyError: 'width'`, as Python and the assistant have it. */
const named = ({ kind, message }: RunProblem): string => (message ? `${kind}: ${message}` : kind);

/** Title and explanation of an exception of the script. */
function exception(problem: RunProblem): [string, string] {
  const { kind, message } = problem;
  const name = problem.package;
  if (kind === "ModuleNotFoundError" && name)
    return [
      t("script.run.error.package.title", { name }),
      t(OUTSIDE.includes(name) ? "script.run.error.package.network" : "script.run.error.package", {
        name,
      }),
    ];
  if (kind === "EntryMissing")
    return [t("script.run.error.entry.title", { name: message }), t("script.run.error.entry")];
  if (SYNTAX.includes(kind)) return [t("script.run.error.syntax.title"), named(problem)];
  if (UNREACHED.test(message))
    return [t("script.run.error.network.title"), t("script.run.error.package.network")];
  if (kind === "KeyError")
    return [t("script.run.error.key.title", { name: message }), t("script.run.error.key")];
  if (kind === "FileNotFoundError") {
    const missing = /'([^']*)'$/.exec(message)?.[1] ?? "";
    const name = [INPUT_DIR, HOME_DIR].reduce(
      (left, folder) => (left.startsWith(`${folder}/`) ? left.slice(folder.length + 1) : left),
      missing,
    );
    return [
      t("script.run.error.file.title"),
      name ? t("script.run.error.file", { name }) : named(problem),
    ];
  }
  return [t(TITLES[kind] ?? "script.run.error.other.title"), named(problem)];
}

/** Why a run did not come to its end; null where it did. */
export function runError(
  { end, problem, ms }: RunOutcome,
  limits: RunLimits,
  ran: { text: string; linked: boolean },
): RunError | null {
  if (end === "done") return null;
  const line = problem?.line ?? null;
  const base = {
    line,
    source: line === null ? "" : (ran.text.split(/\r\n|\r|\n/)[line - 1] ?? ""),
    linked: ran.linked,
    trace: problem?.trace ?? "",
  };
  const time = seconds(limits.wallMs);
  if (end === "stopped")
    return {
      ...base,
      title: t("script.run.state.stopped"),
      text: t("script.run.end.stopped", { time: format.elapsed(ms) }),
    };
  if (end === "failed" && problem) {
    const [title, text] = exception(problem);
    return { ...base, title, text };
  }
  const ends = {
    time: t("script.run.end.time", { time }),
    memory: t("script.run.end.memory", { size: megabytes(limits.memoryBytes) }),
    print: t("script.run.end.print", { size: megabytes(limits.printBytes) }),
    broken: t("script.run.end.broken"),
  };
  const how = end === "failed" ? "broken" : end;
  const trace = base.trace || problem?.message || "";
  return { ...base, trace, title: t(`script.run.end.${how}.title`), text: ends[how] };
}

/** The words for the assistant: what happened, and where. */
export function asking({ end, problem }: RunOutcome, error: RunError): string {
  const said = end === "failed" && problem ? named(problem) : error.title;
  if (error.line === null) return t("script.run.error.asks.nowhere", { error: said });
  return t("script.run.error.asks", { line: String(error.line), error: said });
}

/** Whether two sets of texts run the same way: help texts do not run. */
export const sameRun = (a: VirtualFiles, b: VirtualFiles): boolean =>
  FILES.every((path) => path === "usage_instructions.md" || a[path] === b[path]);
