/** What is made on this page. */
export const KIND = "ifc-extension";
