/** English texts of what a summary says beside what its change does. */
export const claims = {
  "claims.title": "What it says is not all it does",
  "claims.says": "Says",
  "claims.does": "Does",
  "claims.nothing": "Nothing about it",
  "claims.unchanged": "Said, not done",
  "claims.omitted": "Done, not said",
  "claims.not_in": "`{name}` is not in the change",
  "claims.adds": "Adds {name}",
  "claims.changes": "Changes {name}",
  "claims.removes": "Deletes {name}",
};
