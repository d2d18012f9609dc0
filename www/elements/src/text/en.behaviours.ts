/** English texts of behaviours: what a person approved that an app does. */
export const behaviours = {
  "behaviours.title": "Behaviours",
  "behaviours.new": "New",
  "behaviours.new.text": "Applying it approves them: every later change is tested with them.",
  "behaviours.lost": "Lost",
  "behaviours.kept": { one: "{n} stays as approved", other: "{n} stay as approved" },
};
