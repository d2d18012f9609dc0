/** The settings of the app go before what stands here. */
const ISSUER: string = import.meta.env.VITE_OIDC_ISSUER ?? __issuer__;
const CLIENT_ID: string = import.meta.env.VITE_OIDC_CLIENT_ID ?? __client_id__;
/** Where the provider sends people back to; it is registered there. */
const REDIRECT_URL: string = __redirect_url__;
const SCOPE: string = __scope__;

/** Holds, in this tab only, what has to come back from the provider. */
const PENDING = 'oidc-pending';

interface Provider {
  authorization_endpoint: string;
  token_endpoint: string;
}

interface Pending {
  state: string;
  nonce: string;
  verifier: string;
}

/** Who signed in. The tokens live as long as the page. */
export interface SignedIn {
  subject: string;
  name: string;
  accessToken: string;
  /** Milliseconds since 1970. */
  expires: number;
}

let provider: Promise<Provider> | undefined;

function discovered(): Promise<Provider> {
  provider ??= fetch(`${ISSUER.replace(/\/+$/, '')}/.well-known/openid-configuration`).then((answer) => {
    if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`);
    return answer.json() as Promise<Provider>;
  });
  // One that failed is asked again.
  provider.catch(() => {
    provider = undefined;
  });
  return provider;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves for the provider, which sends people back to the page. */
export async function signIn(): Promise<void> {
  const { authorization_endpoint } = await discovered();
  const pending: Pending = { state: random(), nonce: random(), verifier: random() };
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(pending.verifier));
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
  const url = new URL(authorization_endpoint);
  const asked = {
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URL,
    scope: SCOPE,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Takes what the provider sent people back with. `undefined`: nobody comes from there. */
export async function finishSignIn(): Promise<SignedIn | undefined> {
  const came = new URLSearchParams(location.search);
  const kept = sessionStorage.getItem(PENDING);
  if (!came.has('state') || !kept) return undefined;
  sessionStorage.removeItem(PENDING);
  // The code is used once, so it does not stay in the address.
  history.replaceState(history.state, '', `${location.pathname}${location.hash}`);
  const pending = JSON.parse(kept) as Pending;
  if (came.get('state') !== pending.state) throw new Error('The answer is of another sign-in.');
  const refused = came.get('error');
  if (refused) throw new Error(came.get('error_description') ?? refused);
  const { token_endpoint } = await discovered();
  const answer = await fetch(token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: came.get('code') ?? '',
      redirect_uri: REDIRECT_URL,
      client_id: CLIENT_ID,
      code_verifier: pending.verifier,
    }),
  });
  if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`);
  const tokens = (await answer.json()) as { access_token: string; id_token: string; expires_in?: number };
  const claims = claimsOf(tokens.id_token);
  const audience = [claims.aud].flat();
  // The token comes straight from the provider over TLS: what it says of itself is compared, not its seal.
  if (claims.nonce !== pending.nonce || !audience.includes(CLIENT_ID) || !sameIssuer(claims.iss)) {
    throw new Error('The token is of another sign-in.');
  }
  return {
    subject: claims.sub,
    name: claims.name ?? claims.email ?? claims.sub,
    accessToken: tokens.access_token,
    expires: Date.now() + (tokens.expires_in ?? 300) * 1000,
  };
}

interface Claims {
  iss: string;
  sub: string;
  aud: string | string[];
  nonce?: string;
  name?: string;
  email?: string;
}

function claimsOf(token: string): Claims {
  const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
  const bytes = Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}

const sameIssuer = (issuer: string) => issuer.replace(/\/+$/, '') === ISSUER.replace(/\/+$/, '');
