import type { Fail } from '@keywright/contract/errors';
import type { QueryOf } from '@keywright/contract/route';
import type { listInvitations } from '@keywright/contract/routes/invitations';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { requireIdentifier } from '../users/index.ts';
import { presentInvitation } from './present.ts';
import { countInvitations, findInvitations } from './store.ts';

export async function listInvitationsPage(
  tenant: TenantData,
  query: QueryOf<typeof listInvitations>,
  now: Date,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const sort = query.sort ?? '-created_at';
  const page = readPage([tenant.tenantId, 'invitations'], query, sort, fail);
  const { status, identifier: given } = query;
  const identifier =
    given === undefined ? undefined : requireIdentifier(given, '/identifier', fail).identifier;
  const filter = { status, identifier };
  const [rows, total] = await tenant.transaction(
    async (tx) =>
      [await findInvitations(tx, filter, page), await countInvitations(tx, filter)] as const,
  );
  return listed(
    page,
    rows,
    total,
    (row) => row.created_at.toISOString(),
    (row) => presentInvitation(row, now),
  );
}
