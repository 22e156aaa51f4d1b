import { promisify } from 'node:util';
import type { TenantId, UserId } from '@keywright/contract/ids';
import type { AccountExport } from '@keywright/contract/records/account-export';
import { seal, unseal } from '../../../platform/crypto/sealed.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import { zlib } from '../../../platform/zlib.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Outcome } from '../../../tenancy/jobs/jobs.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { fitting } from './rules.ts';
import { type ExportJob, storeContent } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly directory: TenantDirectory;
  readonly collect: (tenant: Tenant, job: ExportJob) => Promise<AccountExport>;
}

export type MakeExport = (job: ExportJob) => Promise<Outcome>;

export function createMakeExport(dependencies: Dependencies): MakeExport {
  const { gate, dataKeys, directory, collect } = dependencies;
  return async (job) => {
    const { tenant_id: tenantId, id } = job;
    const tenant = await directory.findById(tenantId);
    if (!tenant) return { outcome: 'failed', reason: 'The tenant is gone.' };
    const text = JSON.stringify(fitting(await collect(tenant, job)));
    const packed = await promisify(zlib().gzip)(text);
    const content = await dataKeys.use(tenantId, (key) => seal(key, packed, placeOf(tenantId, id)));
    const bytes = Buffer.byteLength(text);
    await gate.into(tenantId).transaction((tx) => storeContent(tx, job, content, bytes));
    return { outcome: 'done' };
  };
}

export async function openContent(
  dataKeys: DataKeys,
  tenantId: TenantId,
  userId: UserId,
  content: Buffer,
): Promise<AccountExport> {
  const packed = await dataKeys.use(tenantId, (key) =>
    unseal(key, content, placeOf(tenantId, userId)),
  );
  const text = await promisify(zlib().gunzip)(packed);
  return JSON.parse(text.toString()) as AccountExport;
}

function placeOf(tenantId: TenantId, userId: UserId): string {
  return `account_exports/${tenantId}/${userId}`;
}
