import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { SessionRecord } from '@keywright/contract/records/session';
import type { QueryOf } from '@keywright/contract/route';
import type { listSessions } from '@keywright/contract/routes/sessions';
import { missingScopes } from '@keywright/contract/scopes';
import { listed, type Page, readPage } from '../../../platform/db/page.ts';
import { type Caller, hasLentPermissions, isOneself } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { countSessions, findSessions, type Owners, type SessionRow } from './list-store.ts';

/** Sessions of everyone or of one user for who may read them, less those of whom the caller acts for; otherwise the caller's own. */
export async function listSessionsFor(
  tenant: TenantData,
  caller: Caller,
  query: QueryOf<typeof listSessions>,
  now: Date,
  fail: Fail<'SCOPE_REQUIRED' | 'PRINCIPAL_PROTECTED' | 'VALIDATION_FAILED'>,
) {
  const owners = visibleOwners(caller, query.user_id, fail);
  const { only: userId, except } = owners;
  const { is_active: active, state, client_id: clientId } = query;
  const isActive = active === undefined ? undefined : active === 'true';
  const filter = { ...owners, clientId, isActive, state };
  const list = [tenant.tenantId, 'sessions', userId ?? '', except ?? ''];
  const page = readPage(list, query, query.sort ?? '-created_at', fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findSessions(tx, page, filter), await countSessions(tx, filter)] as const,
  );
  return listed(page, rows, total, cursorOf, (row) => present(row, now));
}

const LACKED = { detail: 'The token lacks: read:sessions.' };

function visibleOwners(
  caller: Caller,
  asked: UserId | undefined,
  fail: Fail<'SCOPE_REQUIRED' | 'PRINCIPAL_PROTECTED'>,
): Owners {
  if (missingScopes(caller.scopes, ['read:sessions']).length === 0) {
    if (!hasLentPermissions(caller)) return { only: asked };
    return asked === caller.subject
      ? fail('PRINCIPAL_PROTECTED')
      : { only: asked, except: caller.subject };
  }
  if (asked !== undefined && !isOneself(caller, asked)) {
    fail('SCOPE_REQUIRED', LACKED);
  }
  return caller.kind === 'user' ? { only: caller.subject } : fail('SCOPE_REQUIRED', LACKED);
}

function cursorOf(row: SessionRow, _page: Page): string {
  return row.created_at.toISOString();
}

function present(row: SessionRow, now: Date): SessionRecord {
  return {
    id: row.id,
    user_id: row.user_id,
    tenant_id: row.tenant_id,
    workspace_id: row.workspace_id,
    device_info: { user_agent: row.user_agent, ip_address: row.ip_address, location: null },
    kind: row.kind as SessionRecord['kind'],
    client_id: row.client_id,
    parent_id: row.parent_id,
    scopes: row.scopes,
    auth_time: row.auth_time.toISOString(),
    acr: row.acr as SessionRecord['acr'],
    amr: row.amr,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    is_active: row.is_active && row.expires_at > now,
    ...endOf(row, now),
  };
}

function endOf(row: SessionRow, now: Date): Pick<SessionRecord, 'end_reason' | 'ended_at'> {
  const end_reason = row.end_reason as SessionRecord['end_reason'];
  if (!row.is_active) return { end_reason, ended_at: row.ended_at?.toISOString() ?? null };
  if (row.expires_at > now) return { end_reason: null, ended_at: null };
  return { end_reason: 'expired', ended_at: row.expires_at.toISOString() };
}
