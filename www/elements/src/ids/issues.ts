/** What fails, by reason and by requirement: what the panel lists, a BCF file holds as topics, a CSV file as rows. */
import type {
  IdsFailure,
  IdsReport,
  IdsRequirement,
  IdsSpecification,
  Sentence,
} from "@holdpoint/core/types";
import { sentence } from "../base/prose.js";
import { numbered } from "../model/kinds.js";
import { t } from "../text/index.js";
import { said } from "../text/said.js";
import { requirementWords } from "./facets.js";

/** Elements that fail for one reason. */
export interface Reason {
  words: string;
  failures: IdsFailure[];
}

/** A reason as a sentence of its own. */
export const reasonWords = (reason: Sentence): string => sentence(said(reason));

/** The listed failures by their reason, most elements first. */
export function reasonsOf({ failures }: IdsRequirement): Reason[] {
  const found = new Map<string, Reason>();
  for (const one of failures) {
    const key = JSON.stringify([one.reason.code, one.reason.args ?? one.reason.message]);
    const known = found.get(key);
    if (known) known.failures.push(one);
    else found.set(key, { words: reasonWords(one.reason), failures: [one] });
  }
  return [...found.values()].sort((a, b) => b.failures.length - a.failures.length);
}

/** One thing that is to be done about the model. */
export interface Issue {
  title: string;
  /** Lines. */
  description: string;
  ids: number[];
}

/** One for each requirement that fails, or for a specification that fails as a whole. */
export const issuesOf = ({ specifications }: IdsReport): Issue[] =>
  specifications.filter((one) => one.status === "failed").flatMap(issues);

function issues(specification: IdsSpecification): Issue[] {
  const { name, description, instructions, failed, reason } = specification;
  const about = [description ?? "", told(instructions)];
  const failing = specification.requirements.filter((one) => one.failed.length > 0);
  if (failing.length === 0 || reason) {
    const lines = [reason ? reasonWords(reason) : "", ...about];
    return [{ title: name, description: joined(lines), ids: failed }];
  }
  return failing.map((one) => {
    const counts = reasonsOf(one).map(
      ({ words, failures }) => `${words} ${t("ids.elements", { n: failures.length })}`,
    );
    return {
      title: `${name}: ${requirementWords(one)}`,
      description: joined([...counts, told(one.instructions), ...about]),
      ids: one.failed,
    };
  });
}

const told = (text: string | undefined): string => (text ? t("ids.instruction", { text }) : "");
const joined = (lines: string[]): string => lines.filter((line) => line !== "").join("\n");

/** Every listed failure: specification, requirement, reason, type, name, GlobalId. */
export function failureRows({ specifications }: IdsReport): string[][] {
  return specifications.flatMap(({ name, reason, requirements }) => [
    ...(reason ? [[name, "", reasonWords(reason), "", "", ""]] : []),
    ...requirements.flatMap((one) =>
      one.failures.map((failure) => [
        name,
        requirementWords(one),
        reasonWords(failure.reason),
        failure.type,
        failure.name ?? numbered(failure.id),
        failure.global_id ?? "",
      ]),
    ),
  ]);
}
