import { type AccessTokenClaims, type ActorClaim, MAX_ACTORS } from '@keywright/contract/claims';
import {
  type OAuthClientId,
  parseOAuthClientId,
  parseUserId,
  type SessionId,
  type UserId,
} from '@keywright/contract/ids';
import { countActors } from '../../tokens/grants/index.ts';
import type { KnownResources } from '../resources/index.ts';

/** What the access token of an application says of its user. */
export interface AppSubject {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  /** To which it was issued. */
  readonly clientId: OAuthClientId;
}

/** Undefined for the token of a direct login, of an agent, or of whoever impersonates. */
export function appSubjectOf({
  sub,
  sid: sessionId,
  client_id: client,
}: AccessTokenClaims): AppSubject | undefined {
  const [userId, clientId] = [parseUserId(sub), parseOAuthClientId(client)];
  return userId && clientId && sessionId !== undefined
    ? { userId, sessionId, clientId }
    : undefined;
}

/**
 * Whether the client has this token rightfully: it was issued to it, or sent to the service that it is. A client that
 * merely found a token of another one gets nothing for it.
 */
export function mayExchange(
  { client_id: owner, aud }: AccessTokenClaims,
  clientId: OAuthClientId,
  resources: KnownResources,
): boolean {
  return owner === clientId || (resources.at(aud)?.servedBy.includes(clientId) ?? false);
}

/**
 * Who acts in the new token (RFC 8693 §4.1): the newest outermost, and innermost the application that the user logged in
 * to. A client that narrows its own token adds nobody.
 * @returns `full` if the chain would be too long
 */
export function chainWith(
  { client_id: owner, act }: AccessTokenClaims,
  clientId: OAuthClientId,
): ActorClaim | undefined | 'full' {
  if (owner === clientId) return act;
  const chain = { sub: clientId, act: act ?? { sub: owner } };
  return countActors(chain) > MAX_ACTORS ? 'full' : chain;
}

/**
 * Whether a client's own token is bound to another key than the one it proves. What was sent to a service is bound to the
 * key of the sender, whose proof the service checked.
 */
export function isBoundElsewhere(
  { client_id: owner, cnf }: AccessTokenClaims,
  clientId: OAuthClientId,
  jkt: string | undefined,
): boolean {
  return owner === clientId && cnf !== undefined && cnf.jkt !== jkt;
}
