/** What a model answers to files that others bring: IDS 1.0 (requirements) and BCF (issues), as in `crates/model`. */

/** Said in the language of the page, by code and case. */
export interface Sentence {
  code: string;
  message: string;
  args?: Record<string, unknown>;
}

export type IdsOccurs = "required" | "optional" | "prohibited";

/** The name of a class and its predefined type, in signs that need no language. */
export interface IdsEntity {
  name: string;
  predefined?: string;
}

/** One thing that is asked of an element; values are such as `"REI 60" | "REI 90"`, `/DT[0-9]+/`, `≥ 2 & < 5`. */
export type IdsFacet =
  | ({ kind: "entity" } & IdsEntity)
  | { kind: "part"; relation?: string; entity: IdsEntity }
  | { kind: "classification"; system: string; value?: string }
  | { kind: "attribute"; name: string; value?: string }
  | { kind: "property"; set: string; name: string; data_type?: string; value?: string }
  | { kind: "material"; value?: string };

/** An element that does not do what is asked, and why. */
export interface IdsFailure {
  id: number;
  type: string;
  name: string | null;
  global_id: string | null;
  reason: Sentence;
}

export interface IdsRequirement {
  facet: IdsFacet;
  occurs: IdsOccurs;
  instructions?: string;
  /** Elements that do it. */
  passed: number;
  /** ExpressIds of all elements that do not. */
  failed: number[];
  /** The first thousand of them. */
  failures: IdsFailure[];
}

export interface IdsSpecification {
  name: string;
  identifier?: string;
  description?: string;
  instructions?: string;
  occurs: IdsOccurs;
  status: "passed" | "failed";
  /** Elements that it is about. */
  applicable: number;
  /** ExpressIds of the elements that do not do all that is asked. */
  failed: number[];
  /** Why it failed as a whole. */
  reason?: Sentence;
  /** What a person should know of how it was checked. */
  note?: Sentence;
  requirements: IdsRequirement[];
}

export interface IdsReport {
  title: string;
  specifications: IdsSpecification[];
}

export type BcfVersion = "2.1" | "3.0";

/** An issue to be written; `guid` and `viewpoint` are UUIDs, `created` is ISO 8601, `ids` are ExpressIds. */
export interface NewTopic {
  guid: string;
  viewpoint: string;
  title: string;
  description: string;
  author: string;
  created: string;
  ids: number[];
}

/** An issue as it was read; times are ISO 8601. */
export interface BcfTopic {
  guid: string;
  title: string;
  description: string | null;
  status: string | null;
  author: string | null;
  created: string | null;
  comments: { author: string; date: string; text: string }[];
  global_ids: string[];
  /** ExpressIds of those that the open model has. */
  ids: number[];
}
