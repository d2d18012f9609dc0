/**
 * Which element a number means where several models are open: (model, expressId) as one number.
 *
 * A model has a place among those that are open, from 0; a number holds that place above the expressId, which has 32
 * bits. Elements of the model at place 0 have their expressId. Numbers are of this page alone: what leaves it says
 * `modelId` and expressId, or a GlobalId. Pure.
 */

const BITS_32 = 2 ** 32;

export const elementId = (place: number, expressId: number): number => place * BITS_32 + expressId;

export const expressIdOf = (id: number): number => id % BITS_32;

/** The place of the model that has the element. */
export const modelPlaceOf = (id: number): number => Math.floor(id / BITS_32);
