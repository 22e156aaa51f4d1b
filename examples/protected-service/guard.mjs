// Decides who the caller is and what they can do, using only the token and the published keys.

import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

/** A rejected request, with its response. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} detail
   * @param {string} [challenge] WWW-Authenticate (RFC 6750 §3)
   */
  constructor(status, code, detail, challenge) {
    super(detail);
    this.status = status;
    this.code = code;
    this.challenge = challenge;
  }
}

/** The caller does not learn why a token is rejected. */
const unauthorized = () =>
  new Refusal(401, 'TOKEN_INVALID', 'The token is not valid.', 'Bearer error="invalid_token"');

/** The key set could not be fetched, which is not the fault of the token. */
const NO_KEYS = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

/**
 * @typedef {object} Agent
 * @property {string} id `service:…`
 * @property {string} token as it was presented
 */

/**
 * @param {object} options
 * @param {string} options.issuer of the only tenant whose agents are admitted
 * @param {string} [options.audience] default the issuer
 */
export function createGuard({ issuer, audience = issuer }) {
  // The key set is fetched again if a key ID is unknown, at most once a second.
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    cooldownDuration: 1000,
  });
  const expected = {
    issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['EdDSA'],
    requiredClaims: ['sub', 'exp', 'scopes'],
  };

  /** @param {string} token */
  async function verify(token) {
    try {
      return (await jwtVerify(token, keys, expected)).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError && !NO_KEYS.includes(error.code)) throw unauthorized();
      throw error;
    }
  }

  /**
   * Admits only agents that have the scope.
   * @param {string | undefined} authorization the header of the request
   * @param {string} scope
   * @returns {Promise<Agent>}
   * @throws {Refusal}
   */
  return async function admit(authorization, scope) {
    const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) {
      throw new Refusal(401, 'TOKEN_INVALID', 'Send a bearer token.', 'Bearer');
    }
    const { sub = '', scopes } = await verify(token);
    if (!sub.startsWith('service:')) {
      throw new Refusal(403, 'AGENT_REQUIRED', 'Only agents can use this service.');
    }
    if (!Array.isArray(scopes) || !scopes.some((granted) => covers(String(granted), scope))) {
      const challenge = `Bearer error="insufficient_scope", scope="${scope}"`;
      throw new Refusal(403, 'SCOPE_REQUIRED', `The token lacks: ${scope}.`, challenge);
    }
    return { id: sub, token };
  };
}

/**
 * The action ends at the first colon; a resource can contain more colons.
 * @param {string} scope
 */
export function partsOf(scope) {
  const colon = scope.indexOf(':');
  return colon < 0 ? [scope, ''] : [scope.slice(0, colon), scope.slice(colon + 1)];
}

/**
 * `*` stands for every action, or every resource.
 * @param {string} granted
 * @param {string} needed
 */
function covers(granted, needed) {
  const [grantedAction, grantedResource] = partsOf(granted);
  const [action, resource] = partsOf(needed);
  return (
    (grantedAction === '*' || grantedAction === action) &&
    (grantedResource === '*' || grantedResource === resource)
  );
}
