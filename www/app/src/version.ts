/** Which version this page is; the build writes it in (`vite.config.ts`). */
declare const HOLDPOINT_VERSION: string;

export const version = HOLDPOINT_VERSION;
