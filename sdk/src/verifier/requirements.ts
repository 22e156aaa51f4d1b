import { missingScopes } from '../../../contract/src/scopes.ts';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { ApiKeyClient } from './api-key.ts';

/** Requirements beyond a valid token. */
export interface Requirement {
  /** Scopes that the token must have, all of them: `read:reports`, or a list. */
  readonly scopes?: string | readonly string[];
  /** Accepts agents (service accounts) only. */
  readonly agent?: boolean;
}

/** Requirements for a request. */
export interface RequestRequirement extends Requirement {
  /**
   * Accepts API keys (`svc_sk_…`) beside access tokens. The client, which needs a token of its own, verifies each key
   * with the service on each request; nothing is cached, so a revoked key is rejected at once.
   */
  readonly apiKeys?: ApiKeyClient;
}

/** Whether the token is of an agent: its subject begins with `service:` (SPEC authentication 5). */
export function isAgent(claims: Pick<AccessTokenClaims, 'sub'>): boolean {
  return claims.sub.startsWith('service:');
}

/**
 * Requires a token of an agent.
 *
 * @throws VerificationError `AGENT_REQUIRED` (403)
 */
export function requireAgent(claims: Pick<AccessTokenClaims, 'sub'>): void {
  if (!isAgent(claims)) throw new VerificationError('not_an_agent');
}

/**
 * Requires all of the given scopes. `*` has the service's meaning: `*:*`, `read:*` and `*:reports` each hold
 * `read:reports`.
 *
 * @throws VerificationError `SCOPE_REQUIRED` (403), whose `missingScopes` lists the missing ones
 */
export function requireScope(
  claims: Pick<AccessTokenClaims, 'scopes'>,
  ...needed: readonly string[]
): void {
  const missing = missingScopes(claims.scopes, needed);
  if (missing.length > 0) throw new VerificationError('scope', { missingScopes: missing });
}

/** @throws VerificationError `AGENT_REQUIRED` or `SCOPE_REQUIRED` (403) */
export function requireAll(claims: AccessTokenClaims, { scopes = [], agent }: Requirement): void {
  if (agent) requireAgent(claims);
  requireScope(claims, ...(typeof scopes === 'string' ? [scopes] : scopes));
}
