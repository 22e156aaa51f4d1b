import type { Fail } from '@keywright/contract/errors';
import {
  type ConsentId,
  parseConsentId,
  type UserId,
  type OAuthClientId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import type { QueryOf } from '@keywright/contract/route';
import type { listConsents } from '@keywright/contract/routes/consents';
import { newConsentId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import {
  forgetAllowedAt,
  type ConsentFilter,
  countConsents,
  findConsents,
  findOwner,
  lockConsent,
  markRevoked,
  allowAt,
  type AllowedAt,
  findAllowedAt,
  findConsentOf,
  holdClient,
  noteDetails,
  putConsent,
  type StandingConsent,
  type ConsentRow,
} from './consent-store.ts';

/** Of all users, or of one. */
export function listConsentsFor(
  tenant: TenantData,
  query: QueryOf<typeof listConsents>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const filter = { userId: query.user_id, clientId: query.client_id };
  return listConsentsPage(tenant, query, filter, fail);
}

export async function listConsentsPage(
  tenant: TenantData,
  query: Pick<QueryOf<typeof listConsents>, 'page' | 'limit' | 'cursor' | 'sort'>,
  filter: ConsentFilter,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const { userId = '', clientId = '' } = filter;
  const list = [tenant.tenantId, 'consents', userId, clientId];
  const page = readPage(list, query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findConsents(tx, filter, page), await countConsents(tx, filter)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentConsent);
}

/** By its user. */
export function takeBackConsent(
  tenant: TenantData,
  caller: UserCaller,
  id: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<ConsentId> {
  return end(tenant, caller, id, fail, async (_, owner) => {
    if (owner !== caller.subject) fail('NOT_FOUND');
  });
}

/** By somebody who may act on its user. */
export function revokeConsent(
  tenant: TenantData,
  caller: Caller,
  id: string,
  fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
): Promise<ConsentId> {
  return end(tenant, caller, id, fail, (tx, owner) => requireMayActOnUser(tx, caller, owner, fail));
}

/** The sessions of the client end in the same transaction: a code that is redeemed meanwhile waits for the lock. */
async function end(
  tenant: TenantData,
  by: Actor,
  id: string,
  fail: Fail<'NOT_FOUND'>,
  requireAllowed: (tx: TenantTx, owner: UserId) => Promise<void>,
): Promise<ConsentId> {
  const consentId = parseConsentId(id) ?? fail('NOT_FOUND');
  await tenant.transaction(async (tx) => {
    const owner = (await findOwner(tx, consentId)) ?? fail('NOT_FOUND');
    await requireAllowed(tx, owner);
    // After the user, whom the check may have locked: codes are redeemed in the same order.
    const { user_id, client_id } = (await lockConsent(tx, consentId)) ?? fail('NOT_FOUND');
    await markRevoked(tx, consentId);
    await forgetAllowedAt(tx, consentId);
    const ended = await endSessionsOfClient(tx, client_id, 'consent_revoked', user_id);
    await record(tx, by, {
      action: 'consent.revoked',
      target: { kind: 'consent', id: consentId },
      details: { user_id, client_id, sessions: ended.length },
      events: [
        { type: 'consent.revoked', data: { consent_id: consentId, user_id, client_id } },
        ...ended.map((session) => sessionRevoked(session, 'consent_revoked')),
      ],
    });
  });
  return consentId;
}

/** What a user allows a client now. */
interface GrantedNow {
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

function presentConsent(row: ConsentRow): ConsentRecord {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    user_id: row.user_id,
    client_id: row.client_id,
    client_name: row.client_name,
    scopes: row.scopes,
    resources: row.resources,
    authorization_details: row.authorization_details as ConsentRecord['authorization_details'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
