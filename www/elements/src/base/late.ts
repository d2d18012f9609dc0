/** When a wait is worth a word. UI.md §3: "loading" after 300 ms. */

/** What comes before is not said to be coming, in ms. */
export const LATE_MS = 300;
