/** What is made on this page. */
export const KIND = "vite-app";
