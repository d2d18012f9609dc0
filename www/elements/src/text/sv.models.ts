/** Swedish texts of several open models, recent files and saved filters. */
import type { models as english } from "./en.models.js";
import type { Translation } from "./translation.js";

export const models = {
  "models.title": "Modeller",
  "models.n": "{n} modeller, {shown} visas",
  "models.shown": "{n} av {of} visas",
  "models.off": "Visas inte",
  "models.options": "Val för {name}",
  "models.active": "Tillägg och kontroller läser {name}.",
  "models.activate": "Låt tillägg och kontroller läsa den",
  "models.only": "Visa bara den här",
  "models.select": "Markera dess element",
  "models.close": "Stäng modellen",
  "models.closed": "{name} är stängd",
  "models.add": "Lägg till en modell",
  "models.add.menu": "Lägg till bredvid det som är öppet",
  "models.add.file": "Välj filer",
  "models.add.sample": "Exemplet",
  "models.colours": "Färga efter modell",
  "models.by": "Modeller",
  "models.drop.place": "Öppna i stället för det som är öppet",
  "models.drop.beside": "Lägg till bredvid det som är öppet",
} as const satisfies Translation<typeof english>;
