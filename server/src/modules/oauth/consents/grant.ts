import type { ConsentId, OAuthClientId, UserId } from '@keywright/contract/ids';
import { newConsentId } from '../../../platform/crypto/ids.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { findConsentOf, holdClient, putConsent, type StandingConsent } from './store.ts';

/** What a user allows a client now. */
export interface GrantedNow {
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
}

/**
 * Adds to what a user allows an application. @returns undefined when the client was deleted meanwhile
 *
 * Nothing is written if it was all allowed already.
 */
export function grantConsent(
  tenant: TenantData,
  by: Actor,
  { userId, clientId, scopes }: GrantedNow,
): Promise<StandingConsent | undefined> {
  return tenant.transaction(async (tx) => {
    if (!(await holdClient(tx, clientId))) return undefined;
    const before = await findConsentOf(tx, userId, clientId);
    if (before && scopes.every((scope) => before.scopes.includes(scope))) return before;
    const id: ConsentId = newConsentId(tx.now);
    const consent = await putConsent(tx, { id, userId, clientId, scopes });
    const subject = { user_id: userId, client_id: clientId, scopes: [...consent.scopes] };
    await record(tx, by, {
      action: 'consent.granted',
      target: { kind: 'consent', id: consent.id },
      details: subject,
      events: [{ type: 'consent.granted', data: { consent_id: consent.id, ...subject } }],
    });
    return consent;
  });
}
