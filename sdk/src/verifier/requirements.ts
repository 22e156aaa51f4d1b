import { missingScopes } from '../../../contract/src/scopes.ts';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { ApiKeyClient } from './api-key.ts';

/** What a caller has to bring beside a good token. */
export interface Requirement {
  /** Scopes that the token must hold, all of them: `read:reports`, or a list. */
  readonly scopes?: string | readonly string[];
  /** True refuses everyone but agents (service accounts). */
  readonly agent?: boolean;
}

/** What a request has to bring. */
export interface RequestRequirement extends Requirement {
  /**
   * Accepts API keys (`svc_sk_…`) beside access tokens. The client, which needs a token of its own, asks the service
   * about each key, each time; nothing is cached, so a revoked key is refused at once.
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
 * Requires scopes, all of those given. `*` counts as the service counts it: `*:*`, `read:*` and `*:reports`
 * each hold `read:reports`.
 *
 * @throws VerificationError `SCOPE_REQUIRED` (403), whose `missingScopes` names each one that is missing
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
