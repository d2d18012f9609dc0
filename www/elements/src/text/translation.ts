/**
 * What a catalogue must hold to say the same as the English one: every key, and plural forms where English has them.
 */
type Plural = { readonly one: string; readonly other: string };

export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Plural };
