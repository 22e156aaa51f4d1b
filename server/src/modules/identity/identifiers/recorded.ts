import { type NewEvent, record } from '../../events/journal/index.ts';
import type { TenantTx } from '../../../tenancy/gate.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';

/** @param verified the identifier that was proven */
export function recordIdentifiers(
  tx: TenantTx,
  caller: UserCaller,
  action:
    | 'identifier.added'
    | 'identifier.verified'
    | 'identifier.made_primary'
    | 'identifier.removed',
  verified?: string,
): Promise<void> {
  const user = { user_id: caller.subject };
  const proven: NewEvent[] =
    verified === undefined
      ? []
      : [{ type: 'identifier.verified', data: { ...user, identifier: verified } }];
  return record(tx, caller, {
    action,
    target: { kind: 'user', id: caller.subject },
    details: {},
    events: [...proven, { type: 'user.updated', data: { ...user, fields: ['identifiers'] } }],
  });
}
