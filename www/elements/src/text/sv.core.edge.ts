/** Swedish for what opening a model finds: crates/model, www/core. */
export const edge = [
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
] as const;
