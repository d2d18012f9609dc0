/** Swedish for permissions, reasons, and what a call in the sandbox threw: crates/{sdk,kinds,sandbox}. */
export const bundle = [
  // Permissions (ifc-extension.md §3.2).
  [
    "Read the model: elements, properties, quantities and structure.",
    "Läsa modellen: element, egenskaper, mängder och struktur.",
  ],
  [
    "Add new elements, or load another model.",
    "Lägga till nya element, eller ladda en annan modell.",
  ],
  ["Delete elements from the model.", "Ta bort element ur modellen."],
  [
    "See what is selected, what is visible and where the camera is.",
    "Se vad som är markerat, vad som syns och var kameran är.",
  ],
  ["Change what is selected.", "Ändra vad som är markerat."],
  ["Change {*target}.", "Ändra {*target}."],
  ["Colour elements.", "Färga element."],
  ["Hide and show elements.", "Dölja och visa element."],
  ["Move the camera.", "Flytta kameran."],
  ["Set and clear section planes.", "Sätta och ta bort snittplan."],
  ["Save any kind of files to your computer.", "Spara alla slags filer på din dator."],
  ["Save {target} files to your computer.", "Spara {target}-filer på din dator."],
  ["Read the files that you attached.", "Läsa filerna som du har bifogat."],
  [
    "Remember its own settings on this device.",
    "Komma ihåg sina egna inställningar på den här enheten.",
  ],
  [
    "Send and receive data over the internet: {*target}.",
    "Skicka och ta emot data över internet: {*target}.",
  ],
  ["Run {*target} of other extensions.", "Köra {*target} i andra tillägg."],
  ["Show a side panel.", "Visa en sidopanel."],
  ["Show toolbar buttons.", "Visa knappar i verktygsfältet."],
  ["Add entries to context menus.", "Lägga till val i snabbmenyer."],
  ["Show text in the status bar.", "Visa text i statusraden."],
  ["any property of any element", "vilken egenskap som helst på vilket element som helst"],
  ['any command that begins with "{lead}"', "alla kommandon som börjar med ”{lead}”"],
  ["any command", "alla kommandon"],
  ['the command "{id}"', "kommandot ”{id}”"],
  ["any target", "vilket mål som helst"],
  [
    'any property that begins with "{lead}" in any set that begins with "{set}"',
    "alla egenskaper som börjar med ”{lead}” i alla mängder som börjar med ”{set}”",
  ],
  [
    'any property that begins with "{lead}" in any set',
    "alla egenskaper som börjar med ”{lead}” i alla mängder",
  ],
  [
    'any property that begins with "{lead}" in "{set}"',
    "alla egenskaper som börjar med ”{lead}” i ”{set}”",
  ],
  [
    'any property of any set that begins with "{lead}"',
    "alla egenskaper i mängder som börjar med ”{lead}”",
  ],
  ['any property of "{set}"', "alla egenskaper i ”{set}”"],
  [
    '"{name}" in any set that begins with "{lead}"',
    "”{name}” i alla mängder som börjar med ”{lead}”",
  ],
  ['"{name}" in any set', "”{name}” i alla mängder"],
  ['"{name}" in "{set}"', "”{name}” i ”{set}”"],

  // Why a test asks for less than before.
  ["the test was removed or renamed", "testet togs bort eller döptes om"],
  ["the fixture was changed to {fixture}", "testmodellen byttes till {fixture}"],
  ["`{operator}` at {path} was removed", "`{operator}` vid {path} togs bort"],
  ["`{operator}` was removed", "`{operator}` togs bort"],
  [
    "`equals` at {path} was replaced by another operator",
    "`equals` vid {path} ersattes av en annan operator",
  ],
  ["`equals` was replaced by another operator", "`equals` ersattes av en annan operator"],
  [
    "the range of `{operator}` at {path} was widened",
    "intervallet för `{operator}` vid {path} vidgades",
  ],
  ["the range of `{operator}` was widened", "intervallet för `{operator}` vidgades"],

  // What ended a call in the sandbox, or what it threw (ifc-sdk.md).
  ["The test was not run.", "Testet kördes inte."],
  [
    "The call used more memory than it may. Keep less at once: counts instead of lists.",
    "Anropet använde mer minne än det får. Håll mindre åt gången: antal i stället för listor.",
  ],
  [
    "The call ran too long and was ended; the result is not reproducible. Look for a loop " +
      "without end, or a query inside a loop.",
    "Anropet körde för länge och avslutades; resultatet kan inte upprepas. Leta efter en " +
      "slinga utan slut, eller en fråga inne i en slinga.",
  ],
  ["The call ran too long.", "Anropet körde för länge."],
  [
    "The code ran longer than {n} seconds. Look for a loop that does not end.",
    "Koden körde längre än {n} sekunder. Leta efter en slinga som inte slutar.",
  ],
  ["The code used more memory than it may.", "Koden använde mer minne än den får."],
  ["The code called itself too deeply.", "Koden anropade sig själv för djupt."],
  [
    "Functions call each other too deeply. Use a loop, or end the recursion earlier.",
    "Funktioner anropar varandra för djupt. Använd en slinga, eller avsluta rekursionen tidigare.",
  ],
  ["The engine could not go on: {why}", "Motorn kunde inte fortsätta: {why}"],
  [
    "The promise can no longer settle: nothing is left that could resolve it. Resolve it " +
      "on every path, or do not wait for it.",
    "Löftet kan inte längre avgöras: inget finns kvar som kan lösa det. Lös det på varje " +
      "väg, eller vänta inte på det.",
  ],
  ["The result must be JSON, but {why}.", "Resultatet måste vara JSON, men {why}."],
  ["{call}: `{argument}` must be {*expected}.", "{call}: `{argument}` måste vara {*expected}."],
  ["{call}: {*what} does not exist.", "{call}: {*what} finns inte."],
  ["at most 20 files a call.", "högst 20 filer per anrop."],
  ["at most 50 MiB of files a call.", "högst 50 MiB filer per anrop."],
  ["commands call each other at most 8 deep.", "kommandon anropar varandra högst 8 nivåer djupt."],
  ["a message has at most 300 characters.", "ett meddelande har högst 300 tecken."],
  ["at most 5 messages a call.", "högst 5 meddelanden per anrop."],
  ["a value has at most 64 KiB.", "ett värde har högst 64 KiB."],
  [
    "storage holds at most 1 MiB. Delete what is not needed.",
    "lagringen rymmer högst 1 MiB. Ta bort det som inte behövs.",
  ],
  ["a key has at most 100 characters.", "en nyckel har högst 100 tecken."],
  ["a finite number", "ett ändligt tal"],
  ["an entity or its `ref`", "ett element eller dess `ref`"],
  ["a list of entities", "en lista av element"],
  [
    "an IFC class; `{name}` is none, the nearest is `{nearest}`",
    "en IFC-klass; `{name}` är ingen, närmast är `{nearest}`",
  ],
  ["the command `{id}`", "kommandot `{id}`"],
  ["the dock `{dock}`", "panelen `{dock}`"],
  ["`{path}` is no module of the bundle", "`{path}` är ingen modul i tillägget"],
  [
    "{call} is not available in this version of the host. Do without it.",
    "{call} finns inte i den här versionen av värden. Klara dig utan.",
  ],
  [
    "{call} needs `{needed}`, which is not granted. Declare it, or do without.",
    "{call} behöver `{needed}`, som inte är beviljad. Deklarera den, eller klara dig utan.",
  ],
  ["The sandbox did not start.", "Sandlådan startade inte."],
  ["The sandbox answered oddly.", "Sandlådan svarade konstigt."],
  [
    "Its permissions are not those of its manifest.",
    "Dess behörigheter är inte de som står i manifestet.",
  ],
] as const;
