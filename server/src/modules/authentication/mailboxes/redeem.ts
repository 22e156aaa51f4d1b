import type { Fail } from '@keywright/contract/errors';
import type { UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { MEMBER } from '../../identity/roles/index.ts';
import { writeUser } from '../../identity/users/index.ts';
import { anonymous } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import type {
  Answered,
  Challenges,
  DeviceTokens,
  Flows,
  Step,
  StoredFlow,
} from '../flows/index.ts';
import { countRegistration } from '../login/index.ts';
import type { Shown } from '../proofs/index.ts';
import { reclaim, release, verify } from './account.ts';
import { isUnchanged, methodOf, type Use, useOf } from './rules.ts';

export interface RedeemDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly flows: Flows;
  readonly challenges: Challenges;
  readonly deviceTokens: DeviceTokens;
  readonly notify: Notify;
}

type Refuse = Fail<'FLOW_ENDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>;

/** Uses a code or a link that was right: its proof, and what it does with the account of the address. */
export function createRedeem(dependencies: RedeemDependencies) {
  const { flows, notify } = dependencies;
  return async (
    tenant: Tenant,
    flow: StoredFlow,
    challenge: Answered,
    step: Step,
    fail: Refuse,
  ): Promise<FlowAnswer> => {
    const use = useOf(tenant, flow);
    // Nobody was told this code.
    if (use === 'none') return fail('CODE_WRONG');
    if (!isUnchanged(flow, challenge)) return fail('FLOW_ENDED');
    // A second factor begins no recovery.
    const isLogin = flow.purpose !== 'recovery' || flow.messageFactor !== undefined;
    if (use === 'prove' && challenge.sentTo && isLogin) {
      const proof = { method: methodOf(flow), ...challenge.sentTo };
      return flows.redeem(tenant, flow, challenge.id, proof, step, fail);
    }
    if ((use === 'register' || use === 'release') && flow.purpose !== 'invitation') {
      const wait = await countRegistration(dependencies, tenant, step.from, 'proven');
      if (wait) fail('TOO_MANY_ATTEMPTS', wait);
    }
    const change = async (tx: TenantTx) => {
      const shown = (await settle(tx, use, flow, step.from)) ?? fail('FLOW_ENDED');
      // The flow continues with another proof of the account.
      if (shown === 'reserved') return undefined;
      const kind = NOTICE_OF[use] ?? (isLogin ? undefined : 'notice.recovery_begun');
      const { identifier: changed } = flow;
      if (kind) await notify(tx, tenant, { userId: shown.userId, kind, changed });
      return { method: methodOf(flow), ...shown };
    };
    return flows.redeemWith(tenant, flow, challenge.id, change, step, fail);
  };
}

const NOTICE_OF: Partial<Record<Use, 'notice.account_reclaimed'>> = {
  reclaim: 'notice.account_reclaimed',
};

/** @returns undefined if the account has changed meanwhile */
async function settle(
  tx: TenantTx,
  use: Use,
  { user, identifier, purpose }: StoredFlow,
  from: Origin,
): Promise<Shown | 'reserved' | undefined> {
  if (user && use === 'prove') return { userId: user.id, authVersion: user.authVersion };
  if (user && use === 'verify') return verify(tx, user, identifier, from);
  if (user && use === 'reclaim') return reclaim(tx, user, identifier, from);
  if (user && use === 'release') await release(tx, user, identifier, from);
  // An invitation says which roles.
  const roles = purpose === 'invitation' ? [] : [MEMBER];
  const newcomer = { type: 'email', identifier, verified: true, roles } as const;
  const userId: UserId | undefined = await writeUser(tx, anonymous(from), newcomer);
  return userId && { userId, authVersion: 0 };
}
