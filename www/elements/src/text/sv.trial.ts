/** Swedish texts of what is tried on the open model: previews before signing, scripts that run once, what is wrong. */
import type { trial as english } from "./en.trial.js";
import type { Translation } from "./translation.js";

export const trial = {
  "preview.badge": "Förhandsvisning",
  "preview.stopped": "Stannade",
  "preview.note":
    "Körs här med exakt behörigheterna i granskningen. Den sparar inget, frågar ingen värd, och ingen fil lämnar sidan.",
  "preview.again": "Kör förhandsvisningen igen",
  "preview.close": "Stäng förhandsvisningen",
  "preview.did": "Vad den gjorde",
  "preview.seconds": "{n} s",
  "preview.held": "Skulle ha sparat {file}",
  "preview.held.lines": { one: "{n} rad, hölls kvar", other: "{n} rader, hölls kvar" },
  "preview.show": "Visa texten",
  "preview.selected": { one: "Markerade {n} element", other: "Markerade {n} element" },
  "preview.coloured": { one: "Färgade {n} element", other: "Färgade {n} element" },
  "preview.stored": { one: "Skulle ha lagrat {n} värde", other: "Skulle ha lagrat {n} värden" },
  "preview.changed": {
    one: "Skulle ha gjort {n} ändring i modellen",
    other: "Skulle ha gjort {n} ändringar i modellen",
  },
  "preview.asked": "Skulle ha frågat {host} ({method})",
  "preview.nothing": "Ändrade inget, sparade inget",
  "preview.failed": "Den stannade på den här modellen",
  "preview.tests": {
    one: "{n} godkänt: det har inget sådant fall.",
    other: "Alla {n} godkända: inget har ett sådant fall.",
  },
  "preview.kept": "Inget är installerat. Modellen är som förut.",
  "preview.review": "Tillbaka till granskningen",
  "preview.version": "Inte installerat · {version}",
  "preview.open": "Förhandsvisa",
  "preview.shut": "Stäng förhandsvisningen",
  "preview.accept.title": "1 punkt att bocka i",
  "preview.accept": "Jag såg att den stannar på {model} och vill ha den ändå",
  "preview.closed.running": "Förhandsvisningen körs på din modell.",
  "preview.closed.unseen": "Se den på din modell innan du signerar.",
  "preview.closed.model": "Öppna en modell: du ser panelen på den innan du signerar.",
  "preview.closed.stopped": "Bocka i punkten ovan, eller rätta det som förhandsvisningen fann.",
  "preview.hold": "Du installerar exakt det som granskas här och körs i förhandsvisningen.",
} as const satisfies Translation<typeof english>;
