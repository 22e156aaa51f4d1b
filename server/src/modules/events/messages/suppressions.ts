import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { SuppressionRecord } from '@keywright/contract/records/message';
import type { QueryOf } from '@keywright/contract/route';
import type { listSuppressions } from '@keywright/contract/routes/message-log';
import { listed, readPage } from '../../../platform/db/page.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import { record } from '../journal/index.ts';
import { presentSuppression } from './present.ts';
import { suppressionId } from './suppressed.ts';
import {
  countSuppressions,
  deleteSuppression,
  findSuppressionRow,
  findSuppressions,
} from './suppressions-store.ts';

export async function listSuppressionsPage(
  tenant: TenantData,
  query: QueryOf<typeof listSuppressions>,
  fail: Fail<'VALIDATION_FAILED'>,
) {
  const { sort = '-created_at' } = query;
  const page = readPage([tenant.tenantId, 'suppressions'], query, sort, fail);
  const [rows, total] = await tenant.transaction(
    async (tx) => [await findSuppressions(tx, page), await countSuppressions(tx)] as const,
  );
  return listed(page, rows, total, (row) => row.created_at.toISOString(), presentSuppression);
}

export async function getSuppressionBy(
  tenant: TenantData,
  dataKeys: DataKeys,
  text: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<SuppressionRecord> {
  const id = (await idOf(tenant, dataKeys, text)) ?? fail('NOT_FOUND');
  const row = await tenant.transaction((tx) => findSuppressionRow(tx, id));
  return row ? presentSuppression(row) : fail('NOT_FOUND');
}

export async function removeSuppression(
  tenant: TenantData,
  dataKeys: DataKeys,
  caller: Caller,
  text: string,
  fail: Fail<'NOT_FOUND'>,
) {
  const id = (await idOf(tenant, dataKeys, text)) ?? fail('NOT_FOUND');
  return tenant.transaction(async (tx) => {
    const gone = (await deleteSuppression(tx, id)) ?? fail('NOT_FOUND');
    await record(tx, caller, {
      action: 'messaging.suppression_removed',
      target: { kind: 'tenant', id: tx.tenantId },
      details: { to: gone.masked_destination, reason: gone.reason },
    });
    return { id, deleted: true as const };
  });
}

const ID = /^[\w-]{43}$/;

/** @param text an id, or an e-mail address */
async function idOf(
  tenant: TenantData,
  dataKeys: DataKeys,
  text: string,
): Promise<string | undefined> {
  if (ID.test(text)) return text;
  const address = parseIdentifier(text);
  if (address?.type !== 'email') return undefined;
  return dataKeys.use(tenant.tenantId, (key) => suppressionId(key, address.identifier));
}
