/** What a requirement of an IDS file asks, in words. Values keep their signs; names stand without quotes. */
import type { IdsEntity, IdsFacet, IdsRequirement } from "@holdpoint/core/types";
import { t } from "../text/index.js";

/** `"FireRating"` is one name; `"A" | "B"` and `/A[0-9]/` stay as they are. */
const plain = (name: string): string => /^"([^"]*)"$/.exec(name)?.[1] ?? name;

/** What is asked, as a person says it: `Property Pset_WallCommon › FireRating is "REI 60"`. */
export function facetWords(facet: IdsFacet): string {
  switch (facet.kind) {
    case "entity":
      return entity("ids.facet.entity", facet);
    case "part":
      return entity("ids.facet.part", facet.entity);
    case "classification":
      return valued("ids.facet.classification", facet.value, { system: plain(facet.system) });
    case "attribute":
      return valued("ids.facet.attribute", facet.value, { name: plain(facet.name) });
    case "property": {
      const names = { set: plain(facet.set), name: plain(facet.name) };
      const of = facet.data_type ? ` (${facet.data_type})` : "";
      return `${valued("ids.facet.property", facet.value, names)}${of}`;
    }
    case "material":
      return valued("ids.facet.material", facet.value, {});
  }
}

/** The same with how often it may be. */
export function requirementWords({ facet, occurs }: IdsRequirement): string {
  const words = facetWords(facet);
  if (occurs === "required") return words;
  return `${words}: ${t(occurs === "optional" ? "ids.if_given" : "ids.not_allowed")}`;
}

type Valued = `ids.facet.${"classification" | "attribute" | "property" | "material"}`;

function valued(key: Valued, value: string | undefined, names: Record<string, string>): string {
  return value === undefined ? t(key, names) : t(`${key}.is`, { ...names, value });
}

function entity(key: "ids.facet.entity" | "ids.facet.part", one: IdsEntity): string {
  const name = plain(one.name);
  return one.predefined === undefined
    ? t(key, { name })
    : t(`${key}.predefined`, { name, predefined: plain(one.predefined) });
}
