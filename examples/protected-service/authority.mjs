// Asks Keywright (OpenID AuthZEN) for actions where a revocation must take effect immediately.

import { partsOf, Refusal } from './guard.mjs';

const TIMEOUT_MS = 2000;

/**
 * @param {object} options
 * @param {string} options.url of Keywright
 * @param {string} options.tenant
 * @param {string} options.apiKey of this service's own agent, which does not need a scope for this
 */
export function createAuthority({ url, tenant, apiKey }) {
  /**
   * Confirms that the token currently has the scope.
   * @param {string} token
   * @param {string} scope
   * @throws {Refusal}
   */
  return async function confirm(token, scope) {
    const [action, resource] = partsOf(scope);
    const response = await fetch(`${url}/access/v1/evaluation`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'x-tenant-id': tenant,
      },
      body: JSON.stringify({
        subject: { type: 'token', id: token },
        action: { name: action },
        resource: { type: resource, id: '*' },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Without a decision, access is denied.
    if (!response.ok) throw new Error(`The evaluation request returned ${response.status}.`);
    const { decision } = /** @type {{ decision?: unknown }} */ (await response.json());
    if (decision !== true) {
      const challenge = 'Bearer error="invalid_token"';
      throw new Refusal(401, 'TOKEN_INVALID', 'The token is no longer valid.', challenge);
    }
  };
}
