/** The page of examples, in Swedish. */
export const examples = {
  "examples.title": "Exempel",
  "examples.link": "Tio exempel att installera",
  "examples.menu": "Exempel",
  "examples.text":
    "Tillägg som följer med visaren, vart och ett med tester och källkod. Du granskar och " +
    "signerar dem som andra; ett ångra tar tillbaka, och varje tillägg kan ändras genom att " +
    "du ber om det.",
  "examples.back": "Till modellen",
  "examples.loading": "Läser exemplen",
  "examples.failed": "Exemplen kunde inte hämtas. Försök igen när nätet är tillbaka.",
  "examples.extension": "Tillägg",
  "examples.what": "Vad det gör och vad det får göra",
  "examples.kind": "Sort",
  "examples.risk": "Risk",
  "examples.act": "Granska",
  "examples.all": "Alla {n}",
  "examples.panel": "Panel",
  "examples.lens": "Lins",
  "examples.validator": "Kontroll",
  "examples.exporter": "Export",
  "examples.panels": "Paneler {n}",
  "examples.lenses": "Linser {n}",
  "examples.validators": "Kontroller {n}",
  "examples.exporters": "Exporter {n}",
  "examples.review": "Granska",
  "examples.review.of": "Granska {name}",
  "examples.installed": "Installerad {version}",
  "examples.undo": "Ångra",
  "examples.undo.of": "Ångra installationen av {name}",
} as const;
