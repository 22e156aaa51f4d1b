import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, parseTenantId, type TenantId } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import {
  type beginImpersonation,
  LONGEST_IMPERSONATION_SECONDS,
  type listImpersonations,
} from '@keywright/contract/routes/impersonations';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { whileThere } from '../../../tenancy/resolve.ts';
import { asTenant, type SystemData, type SystemTx } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findAllKept, forget, keep, type KeptRow } from './impersonation-store.ts';
import { recordImpersonation, recordImpersonationEnd } from './recorded.ts';

interface Dependencies {
  readonly system: SystemData;
  readonly gate: Gate;
  readonly directory: TenantDirectory;
}

type Begun = OkOf<typeof beginImpersonation>;
type Refuse = Fail<'NOT_FOUND' | 'TENANT_INACTIVE' | 'DEFAULT_TENANT_PROTECTED'>;

/** Lets the console of the caller’s session act in a tenant. There is no token: the session is what it depends on. */
export async function begin(
  { system, directory }: Dependencies,
  caller: UserCaller,
  { tenantId, reason }: { readonly tenantId: string; readonly reason: string },
  fail: Refuse,
): Promise<Begun> {
  const id = parseTenantId(tenantId) ?? fail('NOT_FOUND');
  if (id === DEFAULT_TENANT) fail('DEFAULT_TENANT_PROTECTED');
  const tenant = (await directory.findById(id)) ?? fail('NOT_FOUND');
  if (!tenant.isActive) fail('TENANT_INACTIVE');
  const { sessionId, claims } = caller;
  let answer: Begun | undefined;
  const write = async (tx: SystemTx, tenantVersion: number) => {
    const now = tx.now.getTime();
    const longest = Math.min(LONGEST_IMPERSONATION_SECONDS, tenant.config.session_timeout) * 1000;
    const expiresAt = new Date(Math.min(claims.exp * 1000, now + longest));
    const begun = { sessionId, into: id, reason, sessionVersion: claims.ver ?? 0, tenantVersion };
    await asTenant(tx, DEFAULT_TENANT, (own) => keep(own, { ...begun, now: tx.now, expiresAt }));
    answer = presented({ into_tenant: id, reason, started_at: tx.now, expires_at: expiresAt });
  };
  const record = () => recordImpersonation(system, caller, { into: id, reason }, fail, write);
  await whileThere(
    directory,
    id,
    record,
    (present: Tenant | undefined) => present ?? fail('NOT_FOUND'),
  );
  return answer ?? fail('NOT_FOUND');
}

export async function list(
  { gate }: Dependencies,
  { sessionId }: UserCaller,
): Promise<OkOf<typeof listImpersonations>> {
  const rows = await gate.into(DEFAULT_TENANT).transaction((tx) => findAllKept(tx, sessionId));
  return { items: rows.map(presented) };
}

/** @returns the tenant that the console of the session no longer acts in */
export async function end(
  { system }: Dependencies,
  caller: UserCaller,
  tenantId: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<TenantId> {
  const into = parseTenantId(tenantId) ?? fail('NOT_FOUND');
  await system.run(caller, `end impersonation in ${into}`, async (tx) => {
    const { sessionId } = caller;
    const was = await asTenant(tx, DEFAULT_TENANT, (own) => forget(own, sessionId, into));
    if (!was) fail('NOT_FOUND');
    await recordImpersonationEnd(tx, caller, into);
  });
  return into;
}

function presented(
  row: Pick<KeptRow, 'into_tenant' | 'reason' | 'started_at' | 'expires_at'>,
): Begun {
  return {
    id: row.into_tenant,
    tenant_id: row.into_tenant,
    reason: row.reason,
    created_at: row.started_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
