/** What is made on this page. */
export const KIND = "crew-package";
