import type { ConsentId, OAuthClientId, UserId } from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { newConsentId } from '../../../platform/crypto/ids.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record } from '../../events/journal/index.ts';
import { allowAt, type AllowedAt, findAllowedAt } from './allowed-store.ts';
import {
  findConsentOf,
  holdClient,
  lockConsent,
  noteDetails,
  putConsent,
  type StandingConsent,
} from './store.ts';

/** What a user allows a client now. */
export interface GrantedNow {
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  /** At resources, whose scopes are their own. */
  readonly at: readonly AllowedAt[];
  /** In particular (RFC 9396); undefined: nothing. */
  readonly details: readonly AuthorizationDetail[] | undefined;
  /** The redirect origin shown on the consent page; undefined if none was shown. */
  readonly redirectOrigin: string | undefined;
}

/**
 * Adds to what a user allows an application. @returns undefined when the client was deleted meanwhile
 *
 * Nothing is written if it was all allowed already.
 * @param keepClient writes the client, if only its document knows of it
 */
export function grantConsent(
  tenant: TenantData,
  by: Actor,
  granted: GrantedNow,
  keepClient: (tx: TenantTx) => Promise<void>,
): Promise<StandingConsent | undefined> {
  return tenant.transaction(async (tx) => {
    await keepClient(tx);
    return grantWithin(tx, by, granted);
  });
}

/**
 * The same in a transaction that opens a session: whoever revokes it waits, and finds that session then. @returns
 * undefined if it was revoked, or the client deleted, meanwhile
 */
export async function holdConsent(
  tx: TenantTx,
  by: Actor,
  granted: GrantedNow,
): Promise<StandingConsent | undefined> {
  const consent = await grantWithin(tx, by, granted);
  return consent && (await lockConsent(tx, consent.id)) ? consent : undefined;
}

async function grantWithin(
  tx: TenantTx,
  by: Actor,
  { userId, clientId, scopes, at, details, redirectOrigin }: GrantedNow,
): Promise<StandingConsent | undefined> {
  if (!(await holdClient(tx, clientId))) return undefined;
  const before = await findConsentOf(tx, userId, clientId);
  const allowed = before ? await findAllowedAt(tx, before.id) : [];
  const redirectOrigins = redirectOrigin === undefined ? [] : [redirectOrigin];
  const isKnown =
    before &&
    isAllowed({ scopes, at }, { scopes: before.scopes, at: allowed }) &&
    redirectOrigins.every((origin) => before.redirect_origins.includes(origin));
  if (isKnown && !details) return before;
  const id: ConsentId = newConsentId(tx.now);
  const consent = await putConsent(tx, { id, userId, clientId, scopes, redirectOrigins });
  for (const one of at) await allowAt(tx, consent.id, one);
  if (details) await noteDetails(tx, consent.id, details);
  const subject = { user_id: userId, client_id: clientId, scopes: [...consent.scopes] };
  await record(tx, by, {
    action: 'consent.granted',
    target: { kind: 'consent', id: consent.id },
    details: {
      ...subject,
      ...(redirectOrigin !== undefined && { redirect_origin: redirectOrigin }),
      ...(at.length > 0 && { resources: at.map(asDetail) }),
      ...(details && { authorization_details: details }),
    },
    events: [{ type: 'consent.granted', data: { consent_id: consent.id, ...subject } }],
  });
  return consent;
}

type Allowed = Pick<GrantedNow, 'scopes' | 'at'>;

/** Whether all of it was allowed before. */
function isAllowed(now: Allowed, before: Allowed): boolean {
  return (
    now.scopes.every((scope) => before.scopes.includes(scope)) &&
    now.at.every(({ resourceId, scopes }) => {
      const there = before.at.find((one) => one.resourceId === resourceId);
      return there !== undefined && scopes.every((scope) => there.scopes.includes(scope));
    })
  );
}

function asDetail({ resourceId, scopes }: AllowedAt) {
  return { resource_id: resourceId, scopes: [...scopes] };
}
