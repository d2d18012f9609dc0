/** Swedish texts of how an app begins: the road, the templates, what is asked first. */
import type { appStarts as english } from "./en.app-starts.js";
import type { Translation } from "./translation.js";

export const appStarts = {
  "apps.template.blank-react": "Tom sida",
  "apps.template.blank-react.text":
    "Den minsta användbara starten: en komponent, dess stilar och ett test.",
  "apps.template.chat-classic": "Chattsida",
  "apps.template.chat-classic.text":
    "Trådar, svar som strömmar, stopp och kopiering. Talar med appens chattadress, och svarar " +
    "själv tills det finns en.",
  "apps.template.dashboard": "Översikt",
  "apps.template.dashboard.text":
    "Sidofält, kort, ett diagram, en tabell som sorteras och filtreras, en sida per rad och " +
    "exempeldata.",
  "apps.start.blank-react.1": "Låt rubriken lyda ”Allotment club”, och lägg till en räkneknapp.",
  "apps.start.blank-react.2":
    "Lägg till en sidfot med ”Made for the allotment club” följt av innevarande år, beräknat " +
    "när sidan körs.",
  "apps.start.chat-classic.1":
    "Lägg till en knapp ”Export” som laddar ner samtalet som conversation.json med roll och " +
    "text för varje meddelande.",
  "apps.start.chat-classic.2":
    "Visa tiden (timmar och minuter) vid varje meddelande i ett time-element med ett " +
    "datetime-attribut.",
  "apps.start.dashboard.1":
    "Lägg till en kolumn ”Owner” med påhittade namn i tabellen. Den sorteras som de andra.",
  "apps.start.dashboard.2":
    "Lägg till en knapp ”Download CSV” som sparar raderna som tabellen visar som rows.csv, med " +
    "komman och citattecken skyddade och kolumnnamnen först.",
  "apps.how": "Så går det till",
  "apps.how.ask": "Fråga",
  "apps.how.ask.text": "Med vanliga ord. Priset visas innan något körs.",
  "apps.how.try": "Pröva resultatet, signera sedan",
  "apps.how.try.text":
    "Första stoppunkten: varje ändring kommer byggd och testad, med resultatet visat bredvid. " +
    "Inför flyttar bara utkastet.",
  "apps.how.publish": "Publicera",
  "apps.how.publish.text":
    "Andra stoppunkten: det besökare ser ändras bara när du signerar, och går tillbaka med ett " +
    "klick.",
} as const satisfies Translation<typeof english>;
