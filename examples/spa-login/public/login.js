// OpenID Connect for a page without a server: authorization code with PKCE (RFC 7636). Tokens are only in memory,
// where other tabs and later scripts cannot reach them. After a reload, the page asks Keywright again whether the
// user is signed in.

import { clientId, issuer } from './config.js';

const REDIRECT_URI = `${location.origin}/`;
/** An access token that expires sooner than this is refreshed before it is used. */
const SPARE_MS = 60_000;
/** The storage key of a login attempt while the browser is away. */
const ATTEMPT = 'attempt';

const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
let tokens;

/** An error returned by Keywright: `error` and `error_description` of RFC 6749. */
export class LoginError extends Error {
  constructor(code, description) {
    super(description ?? code);
    this.code = code;
  }
}

const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

const sha256 = async (text) =>
  base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Redirects to the login. With `prompt: 'none'`, the browser returns immediately, signed in or not. */
export async function begin(more = {}) {
  const attempt = { verifier: random(), state: random(), nonce: random() };
  sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    scope: 'openid profile email',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await sha256(attempt.verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  location.assign(`${metadata.authorization_endpoint}?${parameters}`);
}

/** Whether the browser has returned from a login. */
export function isBack() {
  return sessionStorage.getItem(ATTEMPT) !== null && location.search.includes('state=');
}

/** Exchanges the code in the URL for tokens. @throws LoginError */
export async function finish() {
  const response = Object.fromEntries(new URLSearchParams(location.search));
  const attempt = JSON.parse(sessionStorage.getItem(ATTEMPT));
  sessionStorage.removeItem(ATTEMPT);
  history.replaceState(undefined, '', location.pathname);
  // RFC 9207: the response must come from the issuer that received the request.
  if (response.state !== attempt.state || response.iss !== metadata.issuer) {
    throw new LoginError('response_invalid', 'The response is not for this login.');
  }
  if (response.error) throw new LoginError(response.error, response.error_description);
  const found = await request({
    grant_type: 'authorization_code',
    code: response.code,
    redirect_uri: REDIRECT_URI,
    code_verifier: attempt.verifier,
  });
  const { iss, aud, nonce } = claimsOf(found.id_token);
  if (iss !== metadata.issuer || aud !== clientId || nonce !== attempt.nonce) {
    throw new LoginError('id_token_invalid', 'The ID token is not for this login.');
  }
  tokens = found;
}

/** Sends a request to the token endpoint. @throws LoginError */
async function request(parameters) {
  const response = await fetch(metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, ...parameters }),
  });
  const body = await response.json();
  if (!response.ok) throw new LoginError(body.error, body.error_description);
  return { ...body, expiresAt: Date.now() + body.expires_in * 1000 };
}

/**
 * Returns the claims of an ID token. Its signature is not checked, because it comes directly from the token endpoint
 * (OpenID Connect Core §3.1.3.7, item 6).
 */
function claimsOf(idToken) {
  const [, payload] = idToken.replaceAll('-', '+').replaceAll('_', '/').split('.');
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** The signed-in user; undefined if there is none. */
export function user() {
  return tokens && claimsOf(tokens.id_token);
}

/** Returns an access token for calls to your services. @throws LoginError if the login has ended */
export async function accessToken() {
  if (tokens?.refresh_token && tokens.expiresAt - SPARE_MS < Date.now()) {
    const { refresh_token } = tokens;
    tokens = { ...tokens, ...(await request({ grant_type: 'refresh_token', refresh_token })) };
  }
  return tokens?.access_token;
}

/** Redirects to the logout page. Without this logout, the next login would be one click. */
export function logOut() {
  const parameters = new URLSearchParams({
    id_token_hint: tokens.id_token,
    post_logout_redirect_uri: REDIRECT_URI,
  });
  location.assign(`${metadata.end_session_endpoint}?${parameters}`);
}
