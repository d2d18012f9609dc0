/** Swedish for how an assistant's turn in a script ended: crates/{author,kinds/script_tool}, worker. */
export const script = [
  // The answer of the model (script-tool.md §5).
  ["the answer was cut off: ask for less at once", "svaret klipptes av: be om mindre på en gång"],
  [
    'answer with one JSON object that has the key "ops"',
    'svara med ett JSON-objekt som har nyckeln "ops"',
  ],
  [
    "answer with one JSON object, not with several that differ",
    "svara med ett JSON-objekt, inte med flera olika",
  ],
  ["name one of the five files of the tool", "ange en av skriptets fem filer"],

  // What the assistant's turn came to (§6).
  ["Some files did not fit and were left out.", "Några filer rymdes inte och lämnades bort."],
  ["The request was stopped. Nothing was changed.", "Frågan stoppades. Inget ändrades."],
  [
    "The answer became too long and was cut off. Ask for less at once, then try again.",
    "Svaret blev för långt och klipptes av. Be om mindre på en gång och försök igen.",
  ],
  [
    "The model gave no usable suggestion. Nothing was changed. Try again.",
    "Modellen gav inget användbart förslag. Inget ändrades. Försök igen.",
  ],
  [
    "The suggestion needs a place in the text. Select the place, then ask again.",
    "Förslaget behöver ett ställe i texten. Markera stället och fråga igen.",
  ],
  [
    "The model did not answer in time. Try again, or ask for less at once.",
    "Modellen svarade inte i tid. Försök igen, eller be om mindre på en gång.",
  ],
  [
    "The model's server failed. Your texts are as they were. Try again.",
    "Modellens server misslyckades. Dina texter är som de var. Försök igen.",
  ],
  [
    "The request is longer than the model can read. Shorten it, or start a new chat.",
    "Frågan är längre än modellen kan läsa. Korta den, eller börja en ny chatt.",
  ],
  [
    "The usual model is not available. May a provider outside this network be asked?",
    "Den vanliga modellen är inte tillgänglig. Får en leverantör utanför nätverket tillfrågas?",
  ],
  [
    "Say in words what should change or what you want to know.",
    "Säg med ord vad som ska ändras eller vad du vill veta.",
  ],
  [
    "The assistant is switched off here. Editing by hand works.",
    "Assistenten är avstängd här. Att redigera för hand fungerar.",
  ],
  [
    "this needs {n} tokens of {budget}: shorten the message or the files, or start a new chat",
    "det här behöver {n} token av {budget}: korta meddelandet eller filerna, eller börja en ny chatt",
  ],
  [
    "the instructions need {n} tokens of {budget}: shorten what the host adds, or raise the cap",
    "anvisningarna behöver {n} token av {budget}: korta det som värden lägger till, eller höj gränsen",
  ],
] as const;
