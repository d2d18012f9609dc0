// Tokens that are refused, one fault at a time: what they are told, and that they leave nothing behind (gateway.md §3).
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { during } from "../during.ts";
import {
  byPair,
  bySecret,
  claims,
  now,
  PAIRED,
  paired,
  provider,
  publicKey,
  SHARED,
  shared,
  signed,
} from "./tokens.ts";
import { answer, startUpstream } from "./upstream.ts";
import { eventually, startEdge } from "./workerd.ts";

/** Every credential that was sent. */
const sent: string[] = [];

const upstream = await during(startUpstream((call) => answer(call, "ok")));
const edge = await during(
  startEdge({ variables: { UPSTREAM_BASE_URL: upstream.url, ...provider } }),
);

/** The parts of a credential that say something: header, claims, signature. */
const telling = (token: string) => token.split(".").filter((part) => part.length > 20);

async function asked(token: string, path = "/v1/models") {
  sent.push(token);
  const given = await edge.ask("GET", path, { headers: { authorization: `Bearer ${token}` } });
  for (const part of telling(token)) assert.ok(!given.raw.includes(part), given.raw);
  return given;
}

async function refused(name: string, token: string, code = "AUTH_INVALID_TOKEN"): Promise<void> {
  for (const path of ["/v1/models", "/gateway/v1/usage"]) {
    const given = await asked(token, path);
    assert.deepEqual([given.status, given.value.error?.code], [401, code], `${name} at ${path}`);
  }
}

const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey.toString("base64url") };
const headers: [string, string][] = [
  ["no algorithm", signed(claims(), { alg: "none", kid: SHARED.kid }, () => Buffer.alloc(0))],
  ["no algorithm, spelled otherwise", signed(claims(), { alg: "None", kid: SHARED.kid })],
  ["no name of an algorithm", signed(claims(), { kid: SHARED.kid })],
  [
    "another algorithm by the same secret",
    signed(claims(), { alg: "HS512", kid: SHARED.kid }, bySecret(undefined, "sha512")),
  ],
  [
    "the public key as a secret",
    signed(claims(), { alg: "HS256", kid: PAIRED.kid }, bySecret(publicKey)),
  ],
  ["a secret under the name of the pair", signed(claims(), { alg: "HS256", kid: PAIRED.kid })],
  [
    "the pair under the name of the secret",
    signed(claims(), { alg: "EdDSA", kid: SHARED.kid }, byPair),
  ],
  ["an unknown key", signed(claims(), { alg: "HS256", kid: "shared-2" })],
  ["a key that every object has", signed(claims(), { alg: "HS256", kid: "constructor" })],
  ["no key", signed(claims(), { alg: "HS256" })],
  ["a key that is no text", signed(claims(), { alg: "HS256", kid: 1 })],
  ["an embedded key", signed(claims(), { ...PAIRED, jwk }, byPair)],
  ["the address of keys", signed(claims(), { ...SHARED, jku: "https://id.example/keys" })],
  ["the address of a certificate", signed(claims(), { ...SHARED, x5u: "https://id.example/x" })],
  ["a certificate", signed(claims(), { ...PAIRED, x5c: ["MIIB"] }, byPair)],
  ["what a reader must know", signed(claims(), { ...SHARED, crit: ["exp"], b64: true })],
  ["a header that is no object", signed(claims(), "[]")],
  ["a header that is no JSON", signed(claims(), "{")],
];
test("headers that name another way to verify are refused", async () => {
  for (const [name, token] of headers) await refused(name, token);
});

test("signatures of others are refused", async () => {
  const [head, body, signature] = shared().split(".");
  const other = signed(claims(), SHARED, bySecret(randomBytes(32)));
  const flipped = Buffer.from(signature, "base64url");
  flipped[5] ^= 1;
  const boss = Buffer.from(JSON.stringify(claims({ scope: "admin" }))).toString("base64url");
  const [pairHead, pairBody] = paired().split(".");
  const cases: [string, string][] = [
    ["another secret", other],
    ["one bit", `${head}.${body}.${flipped.toString("base64url")}`],
    ["changed claims", `${head}.${boss}.${signature}`],
    ["a signature of zeros", `${pairHead}.${pairBody}.${Buffer.alloc(64).toString("base64url")}`],
    ["an empty signature", `${head}.${body}.`],
    ["the signature of the other kind", `${pairHead}.${pairBody}.${signature}`],
  ];
  for (const [name, token] of cases) await refused(name, token);
});

test("what is no token of three parts is refused", async () => {
  const token = shared();
  const [head, body, signature] = token.split(".");
  const cases: [string, string][] = [
    ["without a signature", `${head}.${body}`],
    ["a cut signature", token.slice(0, -4)],
    ["a cut pair signature", paired().slice(0, -8)],
    ["only a header", head],
    ["a part more", `${token}.${signature}`],
    ["a point more", `${token}.`],
    ["five parts", `${head}.${body}.${signature}.${body}.${signature}`],
    ["no header", `.${body}.${signature}`],
    ["no claims", `${head}..${signature}`],
    ["padding", `${token}=`],
    ["padding of claims", `${head}.${body}=.${signature}`],
    ["signs that no base64url has", `${head}.${body}.!${signature.slice(1)}`],
    ["a plus and a slash", `${head}.${body}.+/${signature.slice(2)}`],
  ];
  for (const [name, one] of cases) await refused(name, one);
});

test("claims that are not for here, or not whole, are refused", async () => {
  const cases: [string, object][] = [
    ["another issuer", { iss: "https://other.example" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "elsewhere" }],
    ["a part of the audience", { aud: "holdpoint" }],
    ["a list without the audience", { aud: ["elsewhere", "holdpoint"] }],
    ["an empty list", { aud: [] }],
    ["no audience", { aud: undefined }],
    ["no subject", { sub: undefined }],
    ["an empty subject", { sub: "" }],
    ["a subject that is too long", { sub: "a".repeat(129) }],
    ["a subject that is no text", { sub: 7 }],
    ["a line break in the subject", { sub: "ann\nbob" }],
    ["a NUL in the subject", { sub: "ann\u0000" }],
    ["a control character in the subject", { sub: "\u001bann" }],
    ["no end", { exp: undefined }],
    ["no beginning", { iat: undefined }],
    ["an end in words", { exp: String(now() + 600) }],
    ["a beginning in words", { iat: String(now()) }],
    ["an end between two seconds", { exp: now() + 600.5 }],
    ["more than a day", { iat: now(), exp: now() + 86_401 }],
    ["much more than a day, long under way", { iat: now() - 86_400 * 30, exp: now() + 600 }],
    ["issued ahead", { iat: now() + 90, exp: now() + 600 }],
    ["not before an hour", { nbf: now() + 3_600 }],
  ];
  for (const [name, more] of cases) await refused(name, shared(more));
  await refused("a list of claims", signed("[]"));
  await refused("no JSON", signed("{"));
});

test("claims that two readers could read differently are refused", async () => {
  const text = JSON.stringify(claims({ scope: "llm usage" }));
  for (const [name, member] of Object.entries({ sub: '"boss"', scope: '"admin"', org: '"o"' })) {
    const first = `{"${name}":${member},${text.slice(1)}`;
    const last = `${text.slice(0, -1)},"${name}":${member},"${name}":${member}}`;
    if (name !== "org") await refused(`${name} twice`, signed(first));
    await refused(`${name} again`, signed(last));
  }
});

test("a token that ended says so, up to the leeway", async () => {
  for (const made of [shared, paired]) {
    const late = made({ iat: now() - 600, exp: now() - 45 });
    await refused("45 s ago", late, "AUTH_TOKEN_EXPIRED");
    assert.equal((await asked(made({ iat: now() - 600, exp: now() - 15 }))).status, 200);
  }
});

test("a token of ten thousand characters is refused", async () => {
  const token = shared({ pad: "x".repeat(7_500) });
  assert.ok(token.length > 10_000 && token.length < 11_000, String(token.length));
  await refused("10 KB", token);
});

test("two credentials that differ are refused", async () => {
  const [one, other] = [shared(), paired()];
  sent.push(one, other);
  const both = { authorization: `Bearer ${one}`, "x-api-key": other };
  const given = await edge.ask("GET", "/v1/models", { headers: both });
  assert.deepEqual([given.status, given.value.error?.code], [401, "AUTH_INVALID_TOKEN"]);
});

/** The files of all objects that were ever opened. */
const objects = (): string[] =>
  readdirSync(join(edge.dir, "objects"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sqlite"))
    .sort();

test("a refused token opens no object, and is told the same whatever its account", async () => {
  const known = shared({ sub: "ann", org: "known" });
  assert.equal((await asked(known, "/gateway/v1/usage")).status, 200);
  const opened = await eventually(() => {
    const value = objects();
    return { ok: value.length > 0, value };
  });
  const forge = bySecret(randomBytes(32));
  const tellings = new Set<string>();
  for (const org of ["known", "made-up-1", "made-up-2"]) {
    for (const path of ["/gateway/v1/usage", "/v1/models"]) {
      const given = await asked(signed(claims({ sub: "ann", org }), SHARED, forge), path);
      assert.equal(given.status, 401);
      tellings.add(`${path} ${JSON.stringify(given.value.error)}`);
    }
    const late = await asked(shared({ org, iat: now() - 600, exp: now() - 90 }));
    assert.deepEqual([late.status, late.value.error?.code], [401, "AUTH_TOKEN_EXPIRED"]);
  }
  assert.equal(tellings.size, 2, [...tellings].join("\n"));
  assert.deepEqual(objects(), opened);

  assert.equal((await asked(shared({ org: "another" }), "/gateway/v1/usage")).status, 200);
  await eventually(() => {
    const value = objects();
    return { ok: value.length > opened.length, value };
  });
});

test("no token works where its provider is not named in full", async () => {
  for (const missing of ["TOKEN_KEYS", "TOKEN_ISSUER", "TOKEN_AUDIENCE"]) {
    const { [missing]: _, ...variables } = provider;
    const other = await startEdge({ variables });
    try {
      for (const token of [shared(), paired()]) {
        const given = await other.ask("GET", "/v1/models", { token });
        const { code } = given.value.error ?? {};
        assert.deepEqual([given.status, code], [401, "AUTH_INVALID_TOKEN"], missing);
      }
      const { user_token } = await other.keys();
      assert.equal((await other.ask("GET", "/v1/models", { token: user_token })).status, 200);
    } finally {
      await other.stop();
    }
  }
});

test("a secret of fewer than 32 bytes verifies nothing", async () => {
  const short = randomBytes(31);
  const keys = { [SHARED.kid]: { alg: "HS256", secret: short.toString("base64") } };
  const other = await startEdge({
    variables: { ...provider, TOKEN_KEYS: JSON.stringify(keys) },
  });
  try {
    const token = signed(claims(), SHARED, bySecret(short));
    const given = await other.ask("GET", "/v1/models", { token });
    assert.ok(given.status >= 400, given.raw);
  } finally {
    await other.stop();
  }
});

test("no token is in a log line or in what objects keep", () => {
  assert.ok(sent.length > 100, String(sent.length));
  const kept = readdirSync(edge.dir, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(join(one.parentPath, one.name)).toString("latin1"));
  for (const token of new Set(sent))
    for (const part of telling(token).slice(1)) {
      assert.ok(!edge.log.includes(part), part);
      for (const text of kept) assert.ok(!text.includes(part), part);
    }
});
