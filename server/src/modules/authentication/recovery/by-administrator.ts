import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type UserId } from '@keywright/contract/ids';
import { type Caller, nameOf } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { maskAddress } from '../../events/messages/index.ts';
import { requireMayActOnUser } from '../../identity/roles/index.ts';
import type { Challenges, Flows } from '../flows/index.ts';
import { findReachable } from './store.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly flows: Flows;
  readonly challenges: Challenges;
}

type Refuse = Fail<
  | 'NOT_FOUND'
  | 'SCOPE_NOT_HELD'
  | 'PRINCIPAL_PROTECTED'
  | 'METHOD_NOT_READY'
  | 'USER_UNREACHABLE'
  | 'TOO_MANY_MESSAGES'
>;

const NO_PASSWORDS = 'The tenant does not allow passwords: there is none to recover.';
const NO_PAGE =
  'Set magic_link_url first. The message is not asked for in a flow: its link leads to one that takes the code.';

/** Sends a user the message of a recovery. OWASP ASVS 5.0 §6.4.6: nobody sets a password for somebody else. */
export function createRecoverUser({ gate, flows, challenges }: Dependencies) {
  return async (
    tenant: Tenant,
    caller: Caller,
    id: string,
    fail: Refuse,
  ): Promise<{ sent_to: string }> => {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const data = gate.into(tenant.id);
    const { identifier, auth_version: authVersion } = await data.transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail, true);
      requireReady(tenant, fail);
      return (await findReachable(tx, userId)) ?? fail('USER_UNREACHABLE');
    });
    const request = { purpose: 'recovery', identifier, workspaceId: undefined } as const;
    const { flow } = await flows.begin(tenant, request);
    const sent = await challenges.send(tenant, {
      flowId: flow.id,
      kind: 'recovery',
      identifier,
      user: { userId, authVersion },
      isDecoy: false,
      locale: undefined,
      from: caller.from,
      name: nameOf(caller),
      isKnown: true,
      isVerified: true,
      record: (tx) => recordSent(tx, caller, userId),
    });
    if (typeof sent === 'object') fail('TOO_MANY_MESSAGES', sent);
    return { sent_to: maskAddress(identifier) };
  };
}

function requireReady({ sendsMail, config }: Tenant, fail: Fail<'METHOD_NOT_READY'>): void {
  if (!sendsMail) fail('METHOD_NOT_READY');
  if (config.magic_link_url === null) fail('METHOD_NOT_READY', { detail: NO_PAGE });
  if (!config.allowed_login_methods.includes('password')) {
    fail('METHOD_NOT_READY', { detail: NO_PASSWORDS });
  }
}

function recordSent(tx: TenantTx, caller: Caller, userId: UserId): Promise<void> {
  const target = { kind: 'user', id: userId } as const;
  return record(tx, caller, { action: 'user.recovery_sent', target, details: {} });
}
