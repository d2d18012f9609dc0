/**
 * Swedish for what the script editor's checks and routes say: crates/{kinds/script_tool,python,text},
 * worker/src/kinds/script_tool.
 */
export const script = [
  // The five files (script-tool.md §2, §3).
  ["Remove the control character {name}.", "Ta bort styrtecknet {name}."],
  [
    "Remove {name}, or write it as an escape: it changes the direction in which text is shown.",
    "Ta bort {name}, eller skriv det som en kod: det ändrar textens riktning.",
  ],
  ["Name the function that the tool starts with.", "Ange funktionen som skriptet startar med."],
  [
    "Write the name of one Python function and nothing else.",
    "Skriv namnet på en Python-funktion och inget annat.",
  ],
  [
    "`tool.py` has no function `{name}` at module level. Define it, or name another one.",
    "`tool.py` har ingen funktion `{name}` på översta nivån. Definiera den, eller ange en annan.",
  ],
  [
    "Define `{name}` with `def`: it is bound otherwise, so that nobody knows if it can be called.",
    "Definiera `{name}` med `def`: den är bunden på annat sätt, så ingen vet om den går att anropa.",
  ],
  [
    "Keep one `{name}`: this one counts, the one in line {line} is never called.",
    "Behåll en `{name}`: den här gäller, den på rad {line} anropas aldrig.",
  ],
  ["Remove this file: a tool has exactly five.", "Ta bort filen: ett skript har exakt fem."],
  ["Add `{file}`; it may be empty.", "Lägg till `{file}`; den får vara tom."],
  [
    "Keep all files within {limit} bytes; they have {total}.",
    "Håll alla filer inom {limit} byte; de har {total}.",
  ],
  [
    "Write the script: a tool needs at least one function.",
    "Skriv skriptet: det behöver minst en funktion.",
  ],
  ["Correct the Python here: {*why}.", "Rätta Python-koden här: {*why}."],
  ["the code nests too deeply here", "koden är kapslad för djupt här"],
  [
    "Correct the schema (JSON Schema 2020-12): {why}.",
    "Rätta schemat (JSON Schema 2020-12): {why}.",
  ],
  [
    "Refer to a schema of this file, such as #/$defs/name.",
    "Hänvisa till ett schema i den här filen, till exempel #/$defs/name.",
  ],
  ["Write a regular expression (ECMAScript).", "Skriv ett reguljärt uttryck (ECMAScript)."],
  [
    "Give a default that its own schema allows.",
    "Ge ett standardvärde som schemat självt tillåter.",
  ],
  [
    'Let the root have type "object": a form is a set of named values.',
    'Låt roten ha typen "object": ett formulär är en samling namngivna värden.',
  ],
  [
    "Say in a few lines what the tool does and what it needs.",
    "Säg på några rader vad skriptet gör och vad det behöver.",
  ],

  // The answer of the model (§5).
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

  // Routes (§6).
  [
    "There is no such script. List what there is.",
    "Det finns inget sådant skript. Se vilka som finns.",
  ],
  ["This script belongs to somebody else.", "Skriptet hör till någon annan."],
  [
    "Show the reasons to a person, then send the preview's confirm_token.",
    "Visa skälen för en människa och skicka sedan förhandsvisningens confirm_token.",
  ],
  [
    "A file changed since the preview. Look at the fresh preview, then apply again.",
    "En fil har ändrats sedan förhandsvisningen. Se på den nya och inför igen.",
  ],
  [
    "A request for this script is still running. Wait for it, or stop it.",
    "En fråga om skriptet pågår ännu. Vänta på den, eller stoppa den.",
  ],
  [
    "The script changed since you looked. Look again, then repeat.",
    "Skriptet har ändrats sedan du såg det. Se efter igen och gör om.",
  ],
  [
    "These files changed since. Restore a version instead, or edit by hand.",
    "Filerna har ändrats sedan dess. Återställ en version i stället, eller redigera för hand.",
  ],
  [
    "The assistant is switched off here. Editing by hand works.",
    "Assistenten är avstängd här. Att redigera för hand fungerar.",
  ],
  [
    "This is longer than the model can read. Shorten it, or start a new chat.",
    "Det är längre än modellen kan läsa. Korta det, eller börja en ny chatt.",
  ],
  ["Send a title of 1 to {limit} characters.", "Ge en titel med 1 till {limit} tecken."],
  [
    "this needs {n} tokens of {budget}: shorten the message or the files, or start a new chat",
    "det här behöver {n} token av {budget}: korta meddelandet eller filerna, eller börja en ny chatt",
  ],
  [
    "the instructions need {n} tokens of {budget}: shorten what the host adds, or raise the cap",
    "anvisningarna behöver {n} token av {budget}: korta det som värden lägger till, eller höj gränsen",
  ],
  [
    "this proposal needs a confirmation: show its reasons to a person and send the confirm_token",
    "förslaget kräver en bekräftelse: visa skälen för en människa och skicka confirm_token",
  ],
  [
    "a targeted file changed since the preview: look at the fresh preview and apply again",
    "en berörd fil har ändrats sedan förhandsvisningen: se på den nya och inför igen",
  ],
  [
    "this is not the change that was previewed: look at the fresh preview and apply again",
    "det här är inte ändringen som visades: se på den nya förhandsvisningen och inför igen",
  ],
  [
    "the result is not the previewed one: look at the fresh preview and apply again",
    "resultatet är inte det som visades: se på den nya förhandsvisningen och inför igen",
  ],
  [
    "{limit} is {max}, the input has {actual}: send less at once",
    "{limit} är {max}, det skickade har {actual}: skicka mindre på en gång",
  ],
] as const;
