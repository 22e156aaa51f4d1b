import type { Fail } from '@keywright/contract/errors';
import type { QueryOf } from '@keywright/contract/route';
import type { listMessages } from '@keywright/contract/routes/message-log';
import { listed, readPage } from '../../../platform/db/page.ts';
import { type Caller, isInTheNameOf } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { countMessages, findMessages } from './log-store.ts';
import { presentMessage } from './present.ts';

export async function listMessagesPage(
  tenant: TenantData,
  caller: Caller,
  query: QueryOf<typeof listMessages>,
  fail: Fail<'VALIDATION_FAILED' | 'PRINCIPAL_PROTECTED'>,
) {
  const { sort = '-created_at', status, user_id: userId } = query;
  if (userId !== undefined && isInTheNameOf(caller, userId)) fail('PRINCIPAL_PROTECTED');
  const page = readPage([tenant.tenantId, 'messages'], query, sort, fail);
  const filter = { status, userId };
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findMessages(tx, filter, page), await countMessages(tx, filter)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentMessage);
}
