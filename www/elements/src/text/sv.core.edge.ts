/**
 * Swedish for what opening a model, the network, the gateway and the project say: crates/{model,gateway,store}, worker,
 * www/core.
 */
export const edge = [
  // Opening a model.
  [
    "the file holds no complete instance: export the model again",
    "filen har ingen hel instans: exportera modellen igen",
  ],
  [
    "the header names no FILE_SCHEMA: export the model as IFC2X3, IFC4 or IFC4X3",
    "huvudet anger inget FILE_SCHEMA: exportera modellen som IFC2X3, IFC4 eller IFC4X3",
  ],
  [
    "FILE_SCHEMA `{found}` is not supported: export the model as IFC2X3, IFC4 or IFC4X3",
    "FILE_SCHEMA `{found}` stöds inte: exportera modellen som IFC2X3, IFC4 eller IFC4X3",
  ],
  [
    "{name} is no class of {schema}: its instances have no attributes",
    "{name} är ingen klass i {schema}: dess instanser har inga attribut",
  ],
  [
    "#{id} is used twice: this instance is left out",
    "#{id} används två gånger: instansen är utelämnad",
  ],
  [
    "#{id} refers to #{target}, which is not in the file",
    "#{id} hänvisar till #{target}, som inte finns i filen",
  ],
  ["… and {n} more places like these", "… och {n} sådana ställen till"],
  ["the file is longer than 4 GiB: split the model", "filen är längre än 4 GiB: dela modellen"],
  [
    "this is a packed file: unpack it and open the .ifc file inside",
    "det här är en packad fil: packa upp den och öppna .ifc-filen inuti",
  ],
  [
    "this is XML: export the model as IFC in the STEP format (.ifc)",
    "det här är XML: exportera modellen som IFC i STEP-format (.ifc)",
  ],
  [
    "this is no IFC file: it does not begin with `ISO-10303-21;`",
    "det här är ingen IFC-fil: den börjar inte med `ISO-10303-21;`",
  ],
  ["{word} of the header cannot be read: {*why}", "{word} i huvudet kan inte läsas: {*why}"],
  [
    "an instance stands outside the DATA section; it is read all the same",
    "en instans står utanför DATA-avsnittet; den läses ändå",
  ],
  [
    "the file is cut off: `END-ISO-10303-21;` is missing at its end; what follows is lost",
    "filen är avklippt: `END-ISO-10303-21;` saknas i slutet; det som följde är borta",
  ],
  [
    "this instance is not complete: the file is cut off here",
    "instansen är inte hel: filen är avklippt här",
  ],
  [
    "this instance cannot be read and is left out: {*why}",
    "instansen kan inte läsas och är utelämnad: {*why}",
  ],
  ["`ENDSEC;` is missing before the end of the file", "`ENDSEC;` saknas före filens slut"],
  [
    "this is no instance and is left out: `#number=CLASS(…);` was expected",
    "det här är ingen instans och är utelämnat: `#nummer=KLASS(…);` väntades",
  ],
  ["`;` is missing after the instance", "`;` saknas efter instansen"],
  ["`=` is missing after the instance number", "`=` saknas efter instansnumret"],
  ["values are nested too deep", "värden är kapslade för djupt"],
  ["`,` or `)` is missing between values", "`,` eller `)` saknas mellan värden"],
  ["a keyword is missing", "ett nyckelord saknas"],
  ["an instance number is missing", "ett instansnummer saknas"],
  [
    "the instance number is not a whole number from 1 to 4294967295",
    "instansnumret är inget heltal från 1 till 4294967295",
  ],
  ["a value is missing", "ett värde saknas"],
  ["a text has no closing quote", "en text har inget avslutande citattecken"],
  [
    "a binary value holds something else than hexadecimal digits",
    "ett binärt värde har annat än hexadecimala siffror",
  ],
  ["an enumeration item has no closing dot", "ett uppräkningsvärde har ingen avslutande punkt"],
  ["a number has no digits", "ett tal har inga siffror"],
  ["a number has an exponent without digits", "ett tal har en exponent utan siffror"],
  [
    "The file could not be read to its end: it may be too large for this device.",
    "Filen kunde inte läsas till slutet: den kan vara för stor för den här enheten.",
  ],
  ["No model is open.", "Ingen modell är öppen."],
  ["The model could not be read.", "Modellen kunde inte läsas."],

  // The network and the page's own calls.
  [
    "No answer came. Try again when the network is back.",
    "Inget svar kom. Försök igen när nätet är tillbaka.",
  ],
  ["The answer could not be read. Try again.", "Svaret kunde inte läsas. Försök igen."],
  ["The server answered {status}.", "Servern svarade {status}."],
  ["No model is set up.", "Ingen modell är inställd."],
  [
    "The tests could not be run: {error}. Reload the page to run them again.",
    "Testerna kunde inte köras: {error}. Ladda om sidan för att köra dem igen.",
  ],
  [
    "The bundle could not be stored: {error}. It is still here: sign again.",
    "Tillägget kunde inte lagras: {error}. Det finns kvar här: signera igen.",
  ],
  [
    "Something failed here. Nothing was changed. Try again.",
    "Något gick fel här. Inget ändrades. Försök igen.",
  ],

  // Keys, budgets, providers (gateway.md §12).
  [
    "Send a key: `Authorization: Bearer …` or `x-api-key: …`.",
    "Skicka en nyckel: `Authorization: Bearer …` eller `x-api-key: …`.",
  ],
  [
    "This key is not known. Check it, or make a new one.",
    "Nyckeln är okänd. Kontrollera den, eller gör en ny.",
  ],
  ["This key has expired. Make a new one.", "Nyckeln har gått ut. Gör en ny."],
  ["This key was revoked. Use another one.", "Nyckeln är återkallad. Använd en annan."],
  [
    "This key may not do that. Use a key with the scope named.",
    "Nyckeln får inte göra det. Använd en nyckel med den angivna rätten.",
  ],
  ["This needs a key with the scope `{scope}`.", "Det här kräver en nyckel med rätten `{scope}`."],
  [
    "This key may not use that model. Ask for one of its models.",
    "Nyckeln får inte använda den modellen. Be om en av dess modeller.",
  ],
  [
    "The provider refused your key. Correct it in the profile.",
    "Leverantören avvisade din nyckel. Rätta den i profilen.",
  ],
  [
    "No model has that name. `GET /v1/models` lists those that exist.",
    "Ingen modell har det namnet. `GET /v1/models` listar dem som finns.",
  ],
  [
    "The provider refused the request. Correct it as it says.",
    "Leverantören avvisade anropet. Rätta det som den säger.",
  ],
  ["The request is too large. Send less.", "Anropet är för stort. Skicka mindre."],
  ["This run is not open. Open a new one.", "Körningen är inte öppen. Öppna en ny."],
  [
    "The call was stopped before an answer came. Send it anew if you still want one.",
    "Anropet stoppades innan ett svar kom. Skicka det igen om du fortfarande vill ha ett.",
  ],
  [
    "The budget does not allow this, and waiting does not help. Ask for less, or raise it.",
    "Budgeten tillåter det inte, och att vänta hjälper inte. Be om mindre, eller höj den.",
  ],
  [
    "The run has less left than this call could need. Start a new run.",
    "Körningen har mindre kvar än anropet kan behöva. Starta en ny.",
  ],
  [
    "The budget of this period is spent. Wait until it resets, or raise it.",
    "Periodens budget är förbrukad. Vänta tills den nollställs, eller höj den.",
  ],
  [
    "What is left is held by running calls. Try again when they end.",
    "Det som är kvar hålls av pågående anrop. Försök igen när de är klara.",
  ],
  [
    "Too many requests. Try again after the time given.",
    "För många anrop. Försök igen efter den angivna tiden.",
  ],
  [
    "Too many calls are open. Try again when one ends.",
    "För många anrop pågår. Försök igen när ett är klart.",
  ],
  [
    "The provider asks to wait. Try again after the time given.",
    "Leverantören ber om väntan. Försök igen efter den angivna tiden.",
  ],
  [
    "The provider refused the platform's key. Correct UPSTREAM_KEY.",
    "Leverantören avvisade plattformens nyckel. Rätta UPSTREAM_KEY.",
  ],
  [
    "The provider answered with a redirect, which is never followed. Correct its address.",
    "Leverantören svarade med en omdirigering, som aldrig följs. Rätta adressen.",
  ],
  [
    "The provider could not be reached. Check its address, then try again.",
    "Leverantören gick inte att nå. Kontrollera adressen och försök igen.",
  ],
  ["The provider failed. Try again.", "Leverantören misslyckades. Försök igen."],
  [
    "The provider's answer could not be read. Try again.",
    "Leverantörens svar kunde inte läsas. Försök igen.",
  ],
  [
    "The provider's answer is too large. Ask for less output.",
    "Leverantörens svar är för stort. Be om mindre.",
  ],
  [
    "The provider reported an error in mid-stream. Try again.",
    "Leverantören meddelade ett fel mitt i svaret. Försök igen.",
  ],
  [
    "The provider's stream was cut. What came before is kept; try again.",
    "Leverantörens svar klipptes av. Det som kom dessförinnan finns kvar; försök igen.",
  ],
  [
    "The provider did not answer in time. Try again.",
    "Leverantören svarade inte i tid. Försök igen.",
  ],
  [
    "The provider stopped sending. What came before is kept; try again.",
    "Leverantören slutade sända. Det som kom dessförinnan finns kvar; försök igen.",
  ],
  [
    "The ledger does not answer, so no call was made. Try again.",
    "Liggaren svarar inte, så inget anrop gjordes. Försök igen.",
  ],
  [
    "No provider is available now. Try again after the time given.",
    "Ingen leverantör är tillgänglig nu. Försök igen efter den angivna tiden.",
  ],
  [
    "This model has no price row, so nothing is forwarded. Add one.",
    "Modellen har ingen prisrad, så inget skickas vidare. Lägg till en.",
  ],

  // Install and project (authoring.md §8, §9).
  [
    "This is not what was reviewed. Read the fresh review, then sign again.",
    "Det här är inte det som granskades. Läs den nya granskningen och signera igen.",
  ],
  [
    "Read the reasons, then send the review's confirm_token.",
    "Läs skälen och skicka sedan granskningens confirm_token.",
  ],
  [
    "Read the reasons, send the review's confirm_token, and type the extension's id.",
    "Läs skälen, skicka granskningens confirm_token och skriv tilläggets id.",
  ],
  [
    "Grant only what the manifest declares, written as there.",
    "Bevilja bara det som manifestet deklarerar, skrivet som där.",
  ],
  [
    "Grant what the diagnostics name. Nothing was stored.",
    "Bevilja det som anmärkningarna anger. Inget lagrades.",
  ],
  [
    "The bundle does not hold. Mend what the diagnostics name; nothing was stored.",
    "Tillägget håller inte. Laga det som anmärkningarna anger; inget lagrades.",
  ],
  [
    "There is no such extension or revision. List what is installed.",
    "Det finns inget sådant tillägg och ingen sådan version. Se vad som är installerat.",
  ],
  [
    "The extension changed since you looked. Look again, then repeat.",
    "Tillägget har ändrats sedan du såg det. Se efter igen och gör om.",
  ],
  ["There is nothing to {action}.", "Det finns inget att göra: {action}."],
] as const;
