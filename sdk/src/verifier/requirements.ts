import { type Acr, ACR_VALUES, isFresh } from '../../../contract/src/assurance.ts';
import { missingScopes } from '../../../contract/src/scopes.ts';
import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';
import type { ApiKeyClient } from './api-key.ts';

/** Requirements beyond a valid token. */
export interface Requirement {
  /** Scopes that the token must have, all of them: `read:reports`, or a list. */
  readonly scopes?: string | readonly string[];
  /** Accepts only agents (service accounts). */
  readonly agent?: boolean;
  /** The least assurance of the user's login (RFC 9470): `aal1`, `aal2` or `phr`. */
  readonly acr?: Acr;
  /** The maximum age of the user's authentication, in seconds (RFC 9470). */
  readonly maxAge?: number;
}

/** Requirements for a request. */
export interface RequestRequirement extends Requirement {
  /**
   * Accepts API keys (`svc_sk_…`) in addition to access tokens. The client, which needs its own token, verifies each
   * key with the service on each request; nothing is cached, so a revoked key is rejected immediately.
   */
  readonly apiKeys?: ApiKeyClient;
}

/** Whether the token belongs to an agent: its subject starts with `service:` (SPEC authentication 5). */
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
 * Requires all of the given scopes. `*` has the same meaning as in the service: `*:*`, `read:*` and `*:reports` each
 * include `read:reports`.
 *
 * @throws VerificationError `SCOPE_REQUIRED` (403), with the missing scopes in `missingScopes`
 */
export function requireScope(
  claims: Pick<AccessTokenClaims, 'scopes'>,
  ...needed: readonly string[]
): void {
  const missing = missingScopes(claims.scopes, needed);
  if (missing.length === 0) return;
  throw new VerificationError('scope', { missingScopes: missing, heldScopes: claims.scopes });
}

/**
 * Requires a recent or a strong login of the user: at most `maxAge` seconds ago, with at least the assurance `acr`.
 * Tokens without a login, such as those of agents, never meet these requirements.
 *
 * @throws VerificationError `STEP_UP_REQUIRED` (401), whose challenge names what the client must request from the user
 * @throws TypeError for an unknown `acr`, which every login would meet
 */
export function requireLogin(
  claims: Pick<AccessTokenClaims, 'acr' | 'auth_time'> & Partial<Pick<AccessTokenClaims, 'scopes'>>,
  { acr, maxAge }: Pick<Requirement, 'acr' | 'maxAge'>,
  nowMs: number = Date.now(),
): void {
  if (acr !== undefined && !ACR_VALUES.includes(acr)) {
    throw new TypeError(
      `Expected acr to be one of ${ACR_VALUES.join(', ')}, got ${acr as string}.`,
    );
  }
  if (isFresh(claims, { acr, maxAge }, nowMs / 1000)) return;
  throw new VerificationError('login', {
    stepUp: { acr, maxAge },
    heldScopes: claims.scopes ?? [],
  });
}

/** The scopes of a requirement, as a list. */
export function scopesOf({ scopes = [] }: Requirement): readonly string[] {
  return typeof scopes === 'string' ? [scopes] : scopes;
}

/** @throws VerificationError `AGENT_REQUIRED` or `SCOPE_REQUIRED` (403), or `STEP_UP_REQUIRED` (401) */
export function requireAll(
  claims: AccessTokenClaims,
  requirement: Requirement,
  nowMs: number,
): void {
  if (requirement.agent) requireAgent(claims);
  requireScope(claims, ...scopesOf(requirement));
  requireLogin(claims, requirement, nowMs);
}
