import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { UserCaller } from '../../../tenancy/caller.ts';
import { findAccessVersion } from '../../../tenancy/store.ts';
import { asTenant, type SystemData, type SystemTx } from '../../../tenancy/system.ts';
import { actingIn, record } from '../../events/journal/index.ts';

interface Begun {
  readonly into: TenantId;
  readonly reason: string;
}

/**
 * Recorded in the log of the tenant, and as work across tenants in that of the default tenant.
 * @param work in the same transaction, with the access version of the tenant
 * @returns the access version of the tenant
 */
export function recordImpersonation(
  system: SystemData,
  caller: UserCaller,
  { into, reason }: Begun,
  fail: Fail<'NOT_FOUND'>,
  work: (tx: SystemTx, accessVersion: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const impersonating = async (tx: SystemTx) => {
    const accessVersion = (await findAccessVersion(tx, into)) ?? fail('NOT_FOUND');
    const change = {
      action: 'auth.impersonated',
      target: { kind: 'tenant', id: into },
      details: { reason },
    } as const;
    await asTenant(tx, into, (own) => record(own, actingIn(into, caller), change));
    await work(tx, accessVersion);
    return accessVersion;
  };
  return system.run(caller, `impersonate in ${into}: ${reason}`, impersonating, into);
}

/** The same of its end, by the administrator. */
export function recordImpersonationEnd(
  tx: SystemTx,
  caller: UserCaller,
  into: TenantId,
): Promise<unknown> {
  const change = {
    action: 'auth.impersonation_ended',
    target: { kind: 'tenant', id: into },
  } as const;
  return asTenant(tx, into, (own) => record(own, actingIn(into, caller), change));
}
