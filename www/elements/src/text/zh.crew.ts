/** Texts of crew packages. */
export const crew = {} as const;
