export type ShownAsset = { path: string, bytes: number, binary: boolean };
