import type { Fail } from '@keywright/contract/errors';
import {
  type ConsentId,
  type OAuthClientId,
  type UserId,
  parseConsentId,
} from '@keywright/contract/ids';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import type { ConsentRecord } from '@keywright/contract/records/consent';
import type { QueryOf } from '@keywright/contract/route';
import type { listConsents } from '@keywright/contract/routes/consents';
import { newConsentId } from '../../../platform/crypto/ids.ts';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import { lockClientKey } from '../clients/index.ts';
import {
  type ConsentFilter,
  type ConsentRow,
  type ConsentedResource,
  type StandingConsent,
  addResourceScopes,
  countConsents,
  deleteResourceScopes,
  findConsentOf,
  findConsentUser,
  findConsentedResources,
  findConsents,
  lockConsent,
  markRevoked,
  putConsent,
  setConsentDetails,
} from './consent-store.ts';

type ListQuery = Pick<QueryOf<typeof listConsents>, 'page' | 'limit' | 'cursor' | 'sort'>;

/** Lists and revokes the consents of users to OAuth clients. */
export class ConsentService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  /** Lists the consents that match the filter. An absent field matches all. */
  async list(
    { id: tenantId }: Tenant,
    query: ListQuery,
    filter: ConsentFilter,
    fail: Fail<'VALIDATION_FAILED'>,
  ) {
    const { userId = '', clientId = '' } = filter;
    const list = [tenantId, 'consents', userId, clientId];
    const page = readPage(list, query, query.sort ?? '-created_at', fail);
    const [rows, total] = await this.#gate
      .into(tenantId)
      .transaction(
        async (tx) =>
          [await findConsents(tx, filter, page), await countConsents(tx, filter)] as const,
      );
    return listed(page, rows, total, (row) => row.created_at.toISOString(), presentConsent);
  }

  /** Revokes a consent of the calling user. */
  revokeOfUser(
    tenant: Tenant,
    caller: UserCaller,
    id: string,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<ConsentId> {
    return this.#revoke(tenant, caller, id, fail, async (_, userId) => {
      if (userId !== caller.subject) fail('NOT_FOUND');
    });
  }

  /** Revokes a consent of a user whom the caller can manage. */
  revoke(
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD' | 'PRINCIPAL_PROTECTED'>,
  ): Promise<ConsentId> {
    return this.#revoke(tenant, caller, id, fail, (tx, userId) =>
      requireMayActOnUser(tx, caller, userId, fail),
    );
  }

  /**
   * Revokes the consent and ends the client's sessions in one transaction. A concurrent code redemption waits for the
   * lock.
   */
  async #revoke(
    { id: tenantId }: Tenant,
    by: Actor,
    id: string,
    fail: Fail<'NOT_FOUND'>,
    requireAllowed: (tx: TenantTx, userId: UserId) => Promise<void>,
  ): Promise<ConsentId> {
    const consentId = parseConsentId(id) ?? fail('NOT_FOUND');
    await this.#gate.into(tenantId).transaction(async (tx) => {
      const userId = (await findConsentUser(tx, consentId)) ?? fail('NOT_FOUND');
      await requireAllowed(tx, userId);
      // Locked after the user, whom the check might have locked: code redemptions lock in the same order.
      const { user_id, client_id } = (await lockConsent(tx, consentId)) ?? fail('NOT_FOUND');
      await markRevoked(tx, consentId);
      await deleteResourceScopes(tx, consentId);
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
    authorization_details: row.authorization_details,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The grant of a user to a client in one authorization. */
export interface ConsentGrant {
  readonly userId: UserId;
  readonly clientId: OAuthClientId;
  readonly scopes: readonly string[];
  /** The scopes at resources. */
  readonly at: readonly ConsentedResource[];
  /** The authorization details (RFC 9396), if any. */
  readonly details: readonly AuthorizationDetail[] | undefined;
  /** The redirect origin shown on the consent page; undefined if no page showed one. */
  readonly redirectOrigin: string | undefined;
}

/**
 * Adds a grant to the user's consent. Writes nothing if the consent already covers it.
 * @returns undefined if the client was deleted
 */
export async function grantConsent(
  tx: TenantTx,
  by: Actor,
  grant: ConsentGrant,
): Promise<StandingConsent | undefined> {
  const { userId, clientId, scopes, at, details, redirectOrigin } = grant;
  if (!(await lockClientKey(tx, clientId))) return undefined;
  const former = await findConsentOf(tx, userId, clientId);
  if (former && !details && (await isCovered(tx, former, grant))) return former;
  const consent = await putConsent(tx, {
    id: newConsentId(tx.now),
    userId,
    clientId,
    scopes,
    redirectOrigins: redirectOrigin === undefined ? [] : [redirectOrigin],
  });
  for (const resource of at) await addResourceScopes(tx, consent.id, resource);
  if (details) await setConsentDetails(tx, consent.id, details);
  await recordGrant(tx, by, consent, grant);
  return consent;
}

/**
 * Like `grantConsent`, for a transaction that opens a session. A concurrent revocation waits for it, and then finds
 * that session.
 * @returns undefined if the consent was revoked, or the client deleted, in the meantime
 */
export async function grantAndLockConsent(
  tx: TenantTx,
  by: Actor,
  grant: ConsentGrant,
): Promise<StandingConsent | undefined> {
  const consent = await grantConsent(tx, by, grant);
  return consent && (await lockConsent(tx, consent.id)) ? consent : undefined;
}

async function isCovered(
  tx: TenantTx,
  former: StandingConsent,
  { scopes, at, redirectOrigin }: ConsentGrant,
): Promise<boolean> {
  const resources = await findConsentedResources(tx, former.id);
  return (
    scopes.every((scope) => former.scopes.includes(scope)) &&
    at.every((requested) => {
      const found = resources.find(({ resourceId }) => resourceId === requested.resourceId);
      return found !== undefined && requested.scopes.every((scope) => found.scopes.includes(scope));
    }) &&
    (redirectOrigin === undefined || former.redirect_origins.includes(redirectOrigin))
  );
}

async function recordGrant(
  tx: TenantTx,
  by: Actor,
  consent: StandingConsent,
  { userId, clientId, at, details, redirectOrigin }: ConsentGrant,
): Promise<void> {
  const subject = { user_id: userId, client_id: clientId, scopes: [...consent.scopes] };
  const resources = at.map(({ resourceId, scopes }) => ({
    resource_id: resourceId,
    scopes: [...scopes],
  }));
  await record(tx, by, {
    action: 'consent.granted',
    target: { kind: 'consent', id: consent.id },
    details: {
      ...subject,
      ...(redirectOrigin !== undefined && { redirect_origin: redirectOrigin }),
      ...(resources.length > 0 && { resources }),
      ...(details && { authorization_details: details }),
    },
    events: [{ type: 'consent.granted', data: { consent_id: consent.id, ...subject } }],
  });
}
