// OpenID Connect with openid-client. Endpoints and keys come from the issuer, so nothing else needs configuration.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';

const { ISSUER = 'http://localhost:8080', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const { ORIGIN = 'http://localhost:3000' } = process.env;

const missing = ['CLIENT_ID', 'CLIENT_SECRET'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(
    `Set ${missing.join(' and ')} first: docs/guide/add-login.md shows how to register the application.`,
  );
  process.exit(1);
}

/** An access token that expires sooner than this is refreshed before it is used. */
const SPARE_MS = 60_000;

// HTTP without TLS is allowed only on this machine.
const isLocal = new URL(ISSUER).hostname === 'localhost';
const config = await oidc.discovery(
  new URL(ISSUER),
  CLIENT_ID,
  undefined,
  oidc.ClientSecretBasic(CLIENT_SECRET),
  { execute: isLocal ? [oidc.allowInsecureRequests] : [] },
);

/**
 * The data that the site stores about a signed-in user.
 * @typedef {object} Login
 * @property {string} sub the user
 * @property {unknown} sid the session at Keywright
 * @property {string} idToken
 * @property {string} accessToken
 * @property {string | undefined} refreshToken
 * @property {number} expiresAt of the access token, in milliseconds
 */

/**
 * The data that the site stores while a user signs in.
 * @typedef {object} Attempt
 * @property {string} pkceCodeVerifier
 * @property {string} expectedState
 * @property {string} expectedNonce
 */

/** Returns the URL where the user signs in, and the values to store until the browser returns. */
export async function beginLogin() {
  const attempt = {
    pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
    expectedState: oidc.randomState(),
    expectedNonce: oidc.randomNonce(),
  };
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: `${ORIGIN}/callback`,
    scope: 'openid profile email offline_access',
    code_challenge: await oidc.calculatePKCECodeChallenge(attempt.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: attempt.expectedState,
    nonce: attempt.expectedNonce,
  });
  return { url, attempt };
}

/**
 * @param {URL} url that the browser came back to
 * @param {Attempt} attempt
 */
export async function finishLogin(url, attempt) {
  return loginOf(await oidc.authorizationCodeGrant(config, url, attempt));
}

/**
 * Returns the login with an access token that does not expire soon.
 * @param {Login} login
 */
export async function refreshed(login) {
  if (login.refreshToken === undefined || login.expiresAt - SPARE_MS > Date.now()) return login;
  return loginOf(await oidc.refreshTokenGrant(config, login.refreshToken), login);
}

/**
 * @param {oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers} tokens
 * @param {Partial<Login>} before
 * @returns {Login}
 */
function loginOf(tokens, before = {}) {
  return {
    sub: tokens.claims()?.sub ?? before.sub ?? '',
    sid: tokens.claims()?.['sid'] ?? before.sid,
    idToken: tokens.id_token ?? before.idToken ?? '',
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? before.refreshToken,
    expiresAt: Date.now() + (tokens.expiresIn() ?? 0) * 1000,
  };
}

/**
 * Returns the URL where the user signs out. Without this logout, the next login would be one click.
 * @param {Login} login
 */
export function logoutUrl({ idToken }) {
  return oidc.buildEndSessionUrl(config, {
    id_token_hint: idToken,
    post_logout_redirect_uri: `${ORIGIN}/`,
  });
}

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
const { issuer, jwks_uri: keysAt = '' } = config.serverMetadata();
const keys = createRemoteJWKSet(new URL(keysAt));

/**
 * Returns the session that has ended (OpenID Connect Back-Channel Logout §2.6).
 * @param {string} logoutToken
 */
export async function endedSession(logoutToken) {
  const { payload } = await jwtVerify(logoutToken, keys, {
    issuer,
    audience: CLIENT_ID,
    typ: 'logout+jwt',
    algorithms: ['RS256'],
    requiredClaims: ['exp', 'jti', 'sid'],
  });
  const { sid, events, nonce } = payload;
  if (!Object(events)[LOGOUT] || nonce !== undefined)
    throw new Error('This is not a logout token.');
  return sid;
}

/**
 * Returns the user's current profile at Keywright.
 * @param {Login} login
 */
export function profileOf({ accessToken, sub }) {
  return oidc.fetchUserInfo(config, accessToken, sub);
}

/**
 * Whether the error means that the login has ended: on another page, by an administrator, or by expiry.
 * @param {unknown} error
 */
export function isOver(error) {
  return error instanceof oidc.ResponseBodyError
    ? error.error === 'invalid_grant'
    : error instanceof oidc.WWWAuthenticateChallengeError;
}
