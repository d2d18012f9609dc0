/** English texts of how an app begins: the road, the templates, what is asked first. */
export const appStarts = {
  "apps.template.blank-react": "Blank page",
  "apps.template.blank-react.text":
    "The smallest useful start: one component, its styles and one test.",
  "apps.template.chat-classic": "Chat page",
  "apps.template.chat-classic.text":
    "Threads, streamed answers, stop and copy. Talks to the app’s chat endpoint, and answers " +
    "by itself until there is one.",
  "apps.template.dashboard": "Dashboard",
  "apps.template.dashboard.text":
    "Side bar, cards, a chart, a table that sorts and filters, a page for each row, and sample " +
    "data.",
  "apps.start.blank-react.1": 'Make the heading say "Allotment club", and add a counter button.',
  "apps.start.blank-react.2":
    'Add a footer that says "Made for the allotment club" followed by the current year, ' +
    "computed when the page runs.",
  "apps.start.chat-classic.1":
    'Add a button "Export" that downloads the conversation as conversation.json with role and ' +
    "text of each message.",
  "apps.start.chat-classic.2":
    "Show the time (hours and minutes) next to every message in a time element with a datetime " +
    "attribute.",
  "apps.start.dashboard.1":
    'Add a column "Owner" with invented names to the table. It sorts like the other columns.',
  "apps.start.dashboard.2":
    'Add a button "Download CSV" that saves the rows the table shows as rows.csv, commas and ' +
    "quotes escaped, first line the column names.",
  "apps.how": "How it goes",
  "apps.how.ask": "Ask",
  "apps.how.ask.text": "In plain words. The price is shown before anything runs.",
  "apps.how.try": "Try the result, then sign",
  "apps.how.try.text":
    "First hold point: every change comes built and tested, with a preview of the result " +
    "beside it. Apply moves the draft only.",
  "apps.how.publish": "Publish",
  "apps.how.publish.text":
    "Second hold point: what visitors see changes only when you sign it, and goes back in one " +
    "click.",
} as const;
