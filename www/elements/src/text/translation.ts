/**
 * What a catalogue must hold to say the same as the English one.
 *
 * Swedish: every key, and plural forms where English has them. Chinese: every key of the groups that it covers, with
 * one form, for nouns have no other there; a group is whole or absent.
 */
type Plural = { readonly one: string; readonly other: string };

export type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Plural };

export type Chinese<T> = { readonly [K in keyof T]: string };

/** The groups of a file whose keys are one of these words or begin with one and a dot. */
export type Groups<T, Word extends string> = Pick<T, Extract<keyof T, Word | `${Word}.${string}`>>;
