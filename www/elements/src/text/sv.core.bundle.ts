/** Swedish for what checks, plans, tests and permissions say: crates/{sdk,bundle,check,kinds,author,sandbox}. */
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

  // Code rules (ifc-extension.md §6).
  ["Nest less: at most {limit} levels.", "Kapsla mindre: högst {limit} nivåer."],
  [
    "Put spaces between the operators, or write a comment with `//`.",
    "Sätt blanksteg mellan operatorerna, eller skriv kommentaren med `//`.",
  ],
  ["Split the file: at most {limit} syntax nodes.", "Dela filen: högst {limit} syntaxnoder."],
  ["Write a valid strict ES module: {why}.", "Skriv en giltig strikt ES-modul: {why}."],
  [
    "Write the whole capability as a constant text.",
    "Skriv hela behörigheten som en konstant text.",
  ],
  ["Write the capability as a constant text.", "Skriv behörigheten som en konstant text."],
  [
    "Name the member: a built-in takes only constant keys.",
    "Namnge medlemmen: inbyggda objekt tar bara konstanta nycklar.",
  ],
  ["Name the member: the key must be constant.", "Namnge medlemmen: nyckeln måste vara konstant."],
  [
    "Work with the value itself: constructors and prototypes are out of reach.",
    "Arbeta med värdet självt: konstruktorer och prototyper går inte att nå.",
  ],
  [
    "Write the relative path of a `.js` file of the bundle as a literal.",
    "Skriv den relativa sökvägen till en `.js`-fil i tillägget som en konstant text.",
  ],
  [
    "Write the code itself instead of giving text to `{name}`.",
    "Skriv koden själv i stället för att ge text till `{name}`.",
  ],
  ["Use `import` and `export`.", "Använd `import` och `export`."],
  ["Use `{name}`.", "Använd `{name}`."],
  [
    "Do it with `ctx`: there is no `{name}` in the sandbox.",
    "Gör det med `ctx`: det finns inget `{name}` i sandlådan.",
  ],
  [
    "Keep your own values in variables: built-ins are frozen.",
    "Ha dina egna värden i variabler: inbyggda objekt är låsta.",
  ],
  [
    "Keep your own values in variables: `ctx` is frozen.",
    "Ha dina egna värden i variabler: `ctx` är låst.",
  ],
  [
    "Import a `.js` file of the bundle by its relative path, ending included.",
    "Importera en `.js`-fil i tillägget med dess relativa sökväg, ändelsen inräknad.",
  ],
  [
    "Leave out `import.meta`: a bundle has no place of its own.",
    "Ta bort `import.meta`: ett tillägg har ingen egen adress.",
  ],
  [
    "Use `this` only in classes and methods: pass the value as a parameter.",
    "Använd `this` bara i klasser och metoder: skicka värdet som parameter.",
  ],
  ["Write `{name}.bim`.", "Skriv `{name}.bim`."],
  [
    "Declare `{name}`, import it, or take it from `ctx`.",
    "Deklarera `{name}`, importera det eller ta det från `ctx`.",
  ],
  [
    "Pass it only to functions of the bundle: here the analysis cannot follow it.",
    "Skicka det bara till tilläggets egna funktioner: hit kan analysen inte följa det.",
  ],
  [
    "`{holder}` has no `{name}`: use one of its members.",
    "`{holder}` har inget `{name}`: använd en av dess medlemmar.",
  ],
  ["Give {n} arguments: {names}.", "Ge {n} argument: {names}."],
  [
    "Build the URL only from constants and counters, as `https://HOST/…`, and send content in the body.",
    "Bygg adressen bara av konstanter och räknare, som `https://HOST/…`, och skicka innehåll i meddelandets kropp.",
  ],

  // JSON and schemas.
  ["Remove what stands behind the value.", "Ta bort det som står efter värdet."],
  [
    "Keep this key once: two readers could read different values.",
    "Behåll nyckeln en gång: två läsare kan läsa olika värden.",
  ],
  ["Write strict JSON. {*why}", "Skriv strikt JSON. {*why}"],
  ["Remove the comment.", "Ta bort kommentaren."],
  ["A value is missing here.", "Här saknas ett värde."],
  ["The text ends too early.", "Texten slutar för tidigt."],
  ["Nest less deeply.", "Kapsla mindre djupt."],
  [
    "Only true, false and null stand without quotes.",
    "Bara true, false och null står utan citattecken.",
  ],
  ["A key in double quotes is missing here.", "Här saknas en nyckel inom dubbla citattecken."],
  ["A colon is missing here.", "Här saknas ett kolon."],
  [
    "A comma or a closing brace is missing here.",
    "Här saknas ett komma eller en avslutande klammer.",
  ],
  [
    "A comma or a closing bracket is missing here.",
    "Här saknas ett komma eller en avslutande hakparentes.",
  ],
  ["A number has no leading zeros.", "Ett tal har inga inledande nollor."],
  ["The number is too large.", "Talet är för stort."],
  ["A digit is missing here.", "Här saknas en siffra."],
  [
    "Escape control characters, such as a line break as \\n.",
    "Skriv styrtecken som koder, till exempel en radbrytning som \\n.",
  ],
  ["The text ends inside quotes.", "Texten slutar inne i citattecken."],
  ["There is no such escape.", "Det finns ingen sådan kod."],
  ["This escape is no character.", "Koden är inget tecken."],
  [
    "{n} more findings are not shown. Mend these first.",
    "{n} anmärkningar till visas inte. Laga de här först.",
  ],
  [
    "Remove `{name}`: there is no such field here.",
    "Ta bort `{name}`: här finns inget sådant fält.",
  ],
  ["Give a value of type {wanted}.", "Ge ett värde av typen {wanted}."],
  ["Correct the value: {*why}.", "Rätta värdet: {*why}."],
  ["only {limit} is taken", "bara {limit} godtas"],
  ["it is none of the allowed ones", "det är inget av de tillåtna"],
  ["at most {limit} items", "högst {limit} poster"],
  ["at least {limit} items", "minst {limit} poster"],
  ["at most {limit} characters", "högst {limit} tecken"],
  ["at least {limit} characters", "minst {limit} tecken"],
  ["at most {limit} members", "högst {limit} medlemmar"],
  ["at least {limit} members", "minst {limit} medlemmar"],
  ["it must match {limit}", "det måste passa {limit}"],
  ["it does not keep `{other}` of the schema", "det följer inte `{other}` i schemat"],

  // Manifest, files and widgets.
  [
    "`{name}` is no modifier. Use {known}.",
    "`{name}` är ingen modifieringstangent. Använd {known}.",
  ],
  ["Write `{modifier}` once.", "Skriv `{modifier}` en gång."],
  [
    "`{name}` is no key. Use A–Z, 0–9, F1–F12, {known}.",
    "`{name}` är ingen tangent. Använd A–Z, 0–9, F1–F12, {known}.",
  ],
  [
    "Add a modifier besides Shift, for example Mod.",
    "Lägg till en modifieringstangent utöver Shift, till exempel Mod.",
  ],
  [
    "Choose another key: this one belongs to the browser.",
    "Välj en annan tangent: den här tillhör webbläsaren.",
  ],
  ["Choose another {field}: `{id}` is taken.", "Välj ett annat {field}: `{id}` är upptaget."],
  [
    "Use onStartup, onModelLoad, onSelectionChange or onSchema:S.",
    "Använd onStartup, onModelLoad, onSelectionChange eller onSchema:S.",
  ],
  ["Name exactly one of {names} to run.", "Ange exakt en av {names} att köra."],
  [
    "Remove `{name}`: another declared capability covers it.",
    "Ta bort `{name}`: en annan deklarerad behörighet täcker den.",
  ],
  ["`{name}` is no event that the host fires.", "`{name}` är ingen händelse som värden utlöser."],
  [
    'Write a path such as $.rows[0].name or $["a name"]; $$ at the start gives a literal $.',
    'Skriv en sökväg som $.rows[0].name eller $["ett namn"]; $$ i början ger ett vanligt $.',
  ],
  [
    "{*sentence} Name what is needed, where you can.",
    "{*sentence} Ange vad som behövs, där du kan.",
  ],
  [
    "`{text}` is no range. Write, for example, ^1.0.0 or >=1.0.0 <2.0.0.",
    "`{text}` är inget intervall. Skriv till exempel ^1.0.0 eller >=1.0.0 <2.0.0.",
  ],
  [
    "This SDK is outside the range. Widen the range, or use a host with a fitting SDK.",
    "Detta SDK ligger utanför intervallet. Vidga intervallet, eller använd en värd med ett SDK som passar.",
  ],
  [
    "Correct the pattern ({reason}); look-around and back references are not taken.",
    "Rätta mönstret ({reason}); look-around och bakåtreferenser godtas inte.",
  ],
  [
    "The condition does not fit the grammar at character {at}.",
    "Villkoret följer inte grammatiken vid tecken {at}.",
  ],
  [
    "No host supplies `{name}`; it is always undefined.",
    "Ingen värd ger `{name}`; det är alltid odefinierat.",
  ],
  [
    "There is no icon `{name}`; `sparkles` is shown.",
    "Det finns ingen ikon `{name}`; `sparkles` visas.",
  ],
  ["Add `manifest.json` at the root.", "Lägg till `manifest.json` i roten."],
  [
    "Export a function as default, or name a top-level function `{name}`.",
    "Exportera en funktion som default, eller döp en funktion på översta nivån till `{name}`.",
  ],
  ["Keep at most {limit} files; there are {n}.", "Ha högst {limit} filer; det är {n}."],
  [
    "Keep all files within {limit} bytes; there are {n}.",
    "Håll alla filer inom {limit} byte; de har {n}.",
  ],
  [
    "Rename the file: another one differs in letter case only.",
    "Döp om filen: en annan skiljer sig bara i stora och små bokstäver.",
  ],
  ["Keep the file within {limit} bytes; it has {n}.", "Håll filen inom {limit} byte; den har {n}."],
  [
    "`{name}` reaches a target that is known only when it runs: each call outside the declared ones is refused.",
    "`{name}` når ett mål som är känt först när det körs: varje anrop utanför de deklarerade avvisas.",
  ],
  ["Remove `{name}`: nothing needs it.", "Ta bort `{name}`: inget behöver den."],
  ["Grant `{name}`: `{who}` needs it.", "Bevilja `{name}`: `{who}` behöver den."],
  [
    "This contribution needs `{name}`, which is not declared.",
    "Det här bidraget behöver `{name}`, som inte är deklarerad.",
  ],
  [
    "{who} needs `{name}`, which is not declared.",
    "{who} behöver `{name}`, som inte är deklarerad.",
  ],
  ["Declare {names} or leave the call out.", "Deklarera {names} eller ta bort anropet."],
  [
    "Draw the icon with shapes only: no script, no events, no link outside the file.",
    "Rita ikonen med bara former: inget skript, inga händelser, ingen länk ut ur filen.",
  ],
  [
    "Write plain text: tags, comments and script links are not taken.",
    "Skriv ren text: taggar, kommentarer och skriptlänkar godtas inte.",
  ],
  ["Name one of the tabs.", "Ange en av flikarna."],
  [
    "Declare the command `{id}` in `contributes.commands`, or name a declared one.",
    "Deklarera kommandot `{id}` i `contributes.commands`, eller ange ett deklarerat.",
  ],
  [
    "Name a file {pattern}; `{path}` is of another kind.",
    "Ange en fil {pattern}; `{path}` är av annat slag.",
  ],
  [
    "Add the file `{path}`, or name one that is there; paths are exact.",
    "Lägg till filen `{path}`, eller ange en som finns; sökvägar är exakta.",
  ],
  ["Name the module of `{id}` in `entry.commands`.", "Ange modulen för `{id}` i `entry.commands`."],
  [
    "Add `{event}` to `activation`, else the trigger never runs.",
    "Lägg till `{event}` i `activation`, annars körs utlösaren aldrig.",
  ],
  [
    "`{name}` is no fixture. Name a canonical one or a file under fixtures/.",
    "`{name}` är ingen testmodell. Ange en inbyggd eller en fil under fixtures/.",
  ],
  ["Add a test that runs `{id}`.", "Lägg till ett test som kör `{id}`."],
  ["`{id}` is not declared.", "`{id}` är inte deklarerat."],
  [
    "Remove the file, or use it: nothing reaches it.",
    "Ta bort filen, eller använd den: inget når den.",
  ],
  [
    "Keep a widget within {depth} levels and {nodes} nodes.",
    "Håll en widget inom {depth} nivåer och {nodes} noder.",
  ],
  ["Add `options` to choose from.", "Lägg till `options` att välja bland."],
  ["Choose another id: `{id}` is taken.", "Välj ett annat id: `{id}` är upptaget."],
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

  // Capabilities and paths.
  [
    "Write `scope.action` or `scope.action:target`, at most {limit} characters.",
    "Skriv `scope.action` eller `scope.action:target`, högst {limit} tecken.",
  ],
  ["There is no capability `{name}`.", "Det finns ingen behörighet `{name}`."],
  ["`{name}` takes no target: write `{same}`.", "`{name}` tar inget mål: skriv `{same}`."],
  [
    "Say what `{name}` may reach, for example `{example}`.",
    "Ange vad `{name}` får nå, till exempel `{example}`.",
  ],
  ["Name each host: `{name}` takes no `*`.", "Ange varje värddator: `{name}` tar inget `*`."],
  [
    "`{target}` is no property. Write `{example}`, quote names with spaces or other letters.",
    "`{target}` är ingen egenskap. Skriv `{example}`, med citattecken om namn med blanksteg eller andra bokstäver.",
  ],
  ["`{target}` is no format that can be saved.", "`{target}` är inget format som kan sparas."],
  [
    "`{target}` is no public host name. Write only the host, such as `{example}`.",
    "`{target}` är inget publikt värdnamn. Skriv bara värden, till exempel `{example}`.",
  ],
  [
    "`{target}` is no command id. Write an id, an id and `.*`, or `*`.",
    "`{target}` är inget kommando-id. Skriv ett id, ett id och `.*`, eller `*`.",
  ],
  ["Give the file a name.", "Ge filen ett namn."],
  [
    "Write the path relative to the bundle's root, without a leading slash, drive or `~`.",
    "Skriv sökvägen från tilläggets rot, utan inledande snedstreck, enhet eller `~`.",
  ],
  [
    "Leave out `..`: a path names its folders from the bundle's root.",
    "Ta bort `..`: en sökväg anger sina mappar från tilläggets rot.",
  ],
  [
    "Name a file, not a folder: leave out the last slash.",
    "Ange en fil, inte en mapp: ta bort det sista snedstrecket.",
  ],
  [
    "Leave out characters that are invisible, reserved or percent-encoded separators.",
    "Ta bort tecken som är osynliga, reserverade eller procentkodade avskiljare.",
  ],
  [
    "A folder or file name must not begin or end with a blank nor end with a dot.",
    "Ett mapp- eller filnamn får inte börja eller sluta med blanksteg och inte sluta med punkt.",
  ],
  [
    "Choose another name: this one is a device on Windows.",
    "Välj ett annat namn: det här är en enhet i Windows.",
  ],
  [
    "Shorten the path: fewer folders or shorter names.",
    "Korta sökvägen: färre mappar eller kortare namn.",
  ],
  ["Write the path in its normal form.", "Skriv sökvägen i normalform."],
  [
    "Keep keys, tokens and environment files out of the bundle.",
    "Håll nycklar och miljöfiler utanför tillägget.",
  ],
  [
    "Keep build output, dependencies and repository data out of the bundle.",
    "Håll byggresultat, beroenden och arkivdata utanför tillägget.",
  ],
  ["Leave out hidden files and folders.", "Ta bort dolda filer och mappar."],
  [
    "Put the file where this kind of bundle expects it.",
    "Lägg filen där ett sådant här tillägg väntar sig den.",
  ],
  ["Use an ending that this folder takes.", "Använd en ändelse som mappen godtar."],

  // The plan and the reply (authoring.md §3, §4).
  [
    "Mend the manifest first: the bundle cannot be compared with the plan.",
    "Laga manifestet först: tillägget kan inte jämföras med planen.",
  ],
  [
    "Remove `{name}`: the approved plan does not hold it.",
    "Ta bort `{name}`: det finns inte i den godkända planen.",
  ],
  ["Contribute the planned {kind} `{id}`.", "Lägg till planens {kind} `{id}`."],
  ["Give it the {name} that was approved.", "Ge det {name} som godkändes."],
  [
    "Remove it, or have it planned: the approved plan does not hold it.",
    "Ta bort det, eller låt planera det: det finns inte i den godkända planen.",
  ],
  [
    "Add the planned event `{event}` to `activation`.",
    "Lägg till planens händelse `{event}` i `activation`.",
  ],
  ["Write the planned file `{path}`.", "Skriv planens fil `{path}`."],
  ["Write the planned test `{name}`.", "Skriv planens test `{name}`."],
  ["Run it on `{fixture}`, as planned.", "Kör det på `{fixture}`, som planerat."],
  [
    "Name exactly what is needed, where it is known.",
    "Ange exakt vad som behövs, där det är känt.",
  ],
  [
    "Remove it: another capability of the plan covers it.",
    "Ta bort den: en annan behörighet i planen täcker den.",
  ],
  ["Rename one of the two contributions `{id}`.", "Döp om ett av de två bidragen `{id}`."],
  [
    "Add `{name}`: a contribution of kind {kind} needs it.",
    "Lägg till `{name}`: ett bidrag av slaget {kind} behöver det.",
  ],
  ["Choose a slot that {kind} takes.", "Välj en plats som {kind} tar."],
  [
    "Plan the widget file `{widget}`, or name one that is planned.",
    "Planera widgetfilen `{widget}`, eller ange en som är planerad.",
  ],
  [
    "Plan the command `{command}`, or name one that is planned.",
    "Planera kommandot `{command}`, eller ange ett som är planerat.",
  ],
  ["No host supplies `{key}`: it is undefined.", "Ingen värd ger `{key}`: det är odefinierat."],
  [
    "Correct the condition from this character on.",
    "Rätta villkoret från och med det här tecknet.",
  ],
  [
    "Add `{capability}` to the plan's capabilities: this needs it.",
    "Lägg till `{capability}` bland planens behörigheter: det här behöver den.",
  ],
  [
    "`{text}` is no event: use onStartup, onModelLoad, onSelectionChange, or one with a suffix such as onCommand:ID.",
    "`{text}` är ingen händelse: använd onStartup, onModelLoad, onSelectionChange eller en med " +
      "tillägg som onCommand:ID.",
  ],
  ["Plan `{id}`, or name one that is planned.", "Planera `{id}`, eller ange en som är planerad."],
  [
    "Name a planned command, lens, exporter or validator instead of `{name}`.",
    "Ange ett planerat kommando, en lins, export eller validerare i stället för `{name}`.",
  ],
  ["There is no fixture `{fixture}`.", "Det finns ingen testmodell `{fixture}`."],
  ["Plan a test that runs `{id}`.", "Planera ett test som kör `{id}`."],
  [
    "the reply has more than {limit} {unit}: ask for less at once",
    "svaret har mer än {limit} {unit}: be om mindre på en gång",
  ],
  ["Close each block with its own fence line.", "Avsluta varje block med en egen stängningsrad."],
  [
    "The reply was cut here: send this file again, whole.",
    "Svaret klipptes av här: skicka filen igen, hel.",
  ],
  ['Open a file with `hp:file path="{path}"`.', 'Öppna en fil med `hp:file path="{path}"`.'],
  ["`write_file` needs `path` and `text`.", "`write_file` behöver `path` och `text`."],
  [
    "`edit_file` needs `path`, `search` and `replace`.",
    "`edit_file` behöver `path`, `search` och `replace`.",
  ],
  [
    'Name the file in the header: `hp:file path="src/x.js"`.',
    'Ange filen i huvudet: `hp:file path="src/x.js"`.',
  ],
  [
    "`{name}` is no tool: a person installs, after review. Only send the files.",
    "`{name}` är inget verktyg: en människa installerar, efter granskning. Skicka bara filerna.",
  ],
  [
    "`{name}` is unknown. Use hp:plan, hp:file, hp:edit or hp:delete, or their tools.",
    "`{name}` är okänt. Använd hp:plan, hp:file, hp:edit eller hp:delete, eller deras verktyg.",
  ],
  ["Write the plan as one JSON object: {error}.", "Skriv planen som ett JSON-objekt: {error}."],
  [
    "Send each file once a reply; the first one stays.",
    "Skicka varje fil en gång per svar; den första gäller.",
  ],
  [
    "Copy the lines as they stand, with the blanks at their ends.",
    "Kopiera raderna som de står, med blanksteg i slutet.",
  ],
  [
    "Write edits as `<<<<<<< SEARCH`, lines, `=======`, lines, `>>>>>>> REPLACE`.",
    "Skriv ändringar som `<<<<<<< SEARCH`, rader, `=======`, rader, `>>>>>>> REPLACE`.",
  ],
  [
    "These lines do not stand in the file: copy them exactly, or send it whole.",
    "Raderna står inte i filen: kopiera dem exakt, eller skicka den hel.",
  ],
  [
    "These lines stand more than once: add lines around, or send the file whole.",
    "Raderna står på mer än ett ställe: lägg till rader runt om, eller skicka filen hel.",
  ],
  ["There is no such file: write it whole.", "Det finns ingen sådan fil: skriv den hel."],
  [
    "The reply was cut: go on with the files that are missing.",
    "Svaret klipptes av: fortsätt med filerna som saknas.",
  ],
  [
    'Answer with blocks: `hp:plan`, or `hp:file path="…"` for each file.',
    'Svara med block: `hp:plan`, eller `hp:file path="…"` för varje fil.',
  ],
  [
    "`{name}` failed without saying why: run it alone.",
    "`{name}` föll utan att säga varför: kör det ensamt.",
  ],
  ["`{name}` did not run.", "`{name}` kördes inte."],
  ["The byte order mark was removed.", "Byte-ordningsmärket togs bort."],
  ["Line endings were made LF.", "Radsluten gjordes till LF."],
  [
    "Comments and trailing commas were removed.",
    "Kommentarer och avslutande kommatecken togs bort.",
  ],
  ["Shorten the request to {limit} characters.", "Korta önskemålet till {limit} tecken."],
  [
    "A plan is adjusted at most {limit} times in words: edit it, or ask anew.",
    "En plan ändras högst {limit} gånger med ord: redigera den, eller fråga på nytt.",
  ],
  ["The model did not answer.", "Modellen svarade inte."],
  [
    "The model took too long; what came so far was used.",
    "Modellen tog för lång tid; det som hann komma användes.",
  ],
  [
    "Make the tests end sooner: their time was used up.",
    "Låt testerna sluta tidigare: deras tid tog slut.",
  ],
  [
    "What was signed is not what is shown: look again.",
    "Det som signerades är inte det som visas: se efter igen.",
  ],
  [
    "The project did not take it: the review is shown again, nothing was stored.",
    "Projektet tog inte emot det: granskningen visas igen, inget lagrades.",
  ],

  // Tests and calls in the sandbox (ifc-sdk.md).
  ["expected {expected}, actual {actual}", "väntat {expected}, blev {actual}"],
  ["The test was not run.", "Testet kördes inte."],
  [
    "`{operator}` does not hold. Mend the code, or the test if it is wrong.",
    "`{operator}` stämmer inte. Laga koden, eller testet om det är fel.",
  ],
  [
    "The call used more memory than it may. Keep less at once: counts instead of lists.",
    "Anropet använde mer minne än det får. Håll mindre åt gången: antal i stället för listor.",
  ],
  [
    "The call ran too long and was ended; the result is not reproducible. Look for a loop without " +
      "end, or a query inside a loop.",
    "Anropet körde för länge och avslutades; resultatet kan inte upprepas. Leta efter en slinga utan " +
      "slut, eller en fråga inne i en slinga.",
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
    "The promise can no longer settle: nothing is left that could resolve it. Resolve it on every " +
      "path, or do not wait for it.",
    "Löftet kan inte längre avgöras: inget finns kvar som kan lösa det. Lös det på varje väg, eller vänta inte på det.",
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
