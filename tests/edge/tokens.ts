// Tokens of an identity provider, signed by the tests themselves (gateway.md §3 "JWT").
import { createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Signs a text, as an algorithm does. */
export type Signer = (text: string) => Buffer;

const secret = randomBytes(32);
const pair = generateKeyPairSync("ed25519");
/** The 32 bytes of the public key of `pair`. */
export const publicKey = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url");

export const bySecret =
  (key: Buffer = secret, hash = "sha256"): Signer =>
  (text) =>
    createHmac(hash, key).update(text).digest();
export const byPair: Signer = (text) => sign(null, Buffer.from(text), pair.privateKey);

export const SHARED = { alg: "HS256", kid: "shared-1" };
export const PAIRED = { alg: "EdDSA", kid: "paired-1" };
export const ISSUER = "https://id.example";
export const AUDIENCE = "holdpoint-tests";

/** As a deployment names its identity provider. */
export const provider: Record<string, string> = {
  TOKEN_KEYS: JSON.stringify({
    [SHARED.kid]: { alg: SHARED.alg, secret: secret.toString("base64") },
    [PAIRED.kid]: { alg: PAIRED.alg, public: publicKey.toString("base64") },
  }),
  TOKEN_ISSUER: ISSUER,
  TOKEN_AUDIENCE: AUDIENCE,
};

/** The present time in whole seconds. */
export const now = (): number => Math.floor(Date.now() / 1_000);

/** Good claims for an hour; a member of `more` that is `undefined` takes one away. */
export const claims = (more: object = {}): object => ({
  iss: ISSUER,
  aud: AUDIENCE,
  sub: "ann",
  iat: now(),
  exp: now() + 3_600,
  ...more,
});

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/** A token of these parts; a text stands as it is. */
export function signed(
  payload: object | string,
  header: object | string = SHARED,
  signer: Signer = bySecret(),
): string {
  const text = `${encoded(header)}.${encoded(payload)}`;
  return `${text}.${signer(text).toString("base64url")}`;
}

/** A good token, signed with the secret. */
export const shared = (more: object = {}): string => signed(claims(more));
/** A good token, signed with the pair of keys. */
export const paired = (more: object = {}): string => signed(claims(more), PAIRED, byPair);
