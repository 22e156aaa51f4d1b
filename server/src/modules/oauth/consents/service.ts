import type { Fail } from '@keywright/contract/errors';
import { type ConsentId, parseConsentId, type UserId } from '@keywright/contract/ids';
import type { QueryOf } from '@keywright/contract/route';
import type { listConsents } from '@keywright/contract/routes/consents';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller, UserCaller } from '../../../tenancy/caller.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import { type Actor, record, sessionRevoked } from '../../events/journal/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import { endSessionsOfClient } from '../../tokens/sessions/index.ts';
import { forgetAllowedAt } from './allowed-store.ts';
import { presentConsent } from './present.ts';
import {
  type ConsentFilter,
  countConsents,
  findConsents,
  findOwner,
  lockConsent,
  markRevoked,
} from './store.ts';

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
