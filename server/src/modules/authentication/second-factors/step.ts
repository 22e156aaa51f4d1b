import type { Fail } from '@keywright/contract/errors';
import type { FactorId, UserId } from '@keywright/contract/ids';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Change, type Notes, recordAll } from '../../events/journal/index.ts';
import type { Notify } from '../../events/messages/index.ts';
import { rateLimitOf } from '../attempts/index.ts';
import { deviceIn, type Flows, type StoredFlow } from '../flows/index.ts';
import type { Checked, GivenCode } from './check.ts';
import { GUESS_LIMITS, guessSubject } from './second-factor-store.ts';
import { tellOfRefusal } from './told.ts';

export interface StepDependencies {
  readonly gate: Gate;
  readonly flows: Flows;
  readonly notes: Notes;
  readonly notify: Notify;
}

type Right<Result extends Checked> = Extract<Result, { readonly outcome: 'right' }>;
type Wrong = Exclude<Checked, { readonly outcome: 'right' }>;
type Refuse = Fail<'FLOW_ENDED' | 'CODE_WRONG' | 'NOT_FOUND' | 'TOO_MANY_ATTEMPTS'>;

interface Given {
  readonly flow: StoredFlow;
  readonly code: string;
  readonly device: Device;
}

/** A step with a code of a second factor: checks it, and advances the flow. */
export function createStep(dependencies: StepDependencies) {
  const { gate, flows, notes } = dependencies;
  return async <Result extends Checked>(
    tenant: Tenant,
    method: 'totp' | 'recovery_code',
    { flow, code, device }: Given,
    check: (given: GivenCode) => Promise<Result>,
    fail: Refuse,
  ): Promise<{ readonly answer: FlowAnswer; readonly checked: Right<Result> }> => {
    const { id: userId } = flow.user ?? fail('FLOW_ENDED');
    const known = deviceIn(flow);
    const whose = { tenantId: tenant.id, userId, challengeId: flow.id, known };
    const checked = await check({ ...whose, code });
    if (checked.outcome !== 'right') {
      notes.note(tenant.id, anonymous(device.from), {
        action: 'auth.login_failed',
        method: 'second_factor',
        target: { kind: 'user', id: userId },
        outcome: 'failure',
        details: { reason: `${method}_${checked.outcome}`, identifier: null, flow_id: flow.id },
      });
      await recordSuspended(gate, tenant, device, userId, checked);
      await tellOfRefusal(dependencies, tenant, userId, device);
      return refuse(checked, fail);
    }
    const subject = guessSubject(method, userId, known);
    const attempt = { kind: 'identifier', subject } as const;
    const step = { ...device, attempts: [attempt] };
    const answer = await flows.advance(tenant, flow, { method, ...checked.shown }, step, fail);
    return { answer, checked: checked as Right<Result> };
  };
}

function refuse(checked: Wrong, fail: Refuse): never {
  if (checked.outcome === 'wrong') return fail('CODE_WRONG');
  if (checked.outcome === 'spent') return fail('FLOW_ENDED');
  const limits = [rateLimitOf('user', GUESS_LIMITS)];
  return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: checked.retryAfterSeconds, limits });
}

/** Records factors that the guess has suspended. */
async function recordSuspended(
  gate: Gate,
  { id: tenantId }: Tenant,
  { from }: Device,
  userId: UserId,
  checked: Wrong,
): Promise<void> {
  const suspended = checked.outcome === 'wrong' ? checked.suspended : [];
  if (suspended.length === 0) return;
  const changes = suspended.map((id) => suspension(id, userId));
  await gate.into(tenantId).transaction((tx) => recordAll(tx, anonymous(from), changes));
}

function suspension(id: FactorId, userId: UserId): Change {
  const reason = 'too_many_failures';
  return {
    action: 'factor.suspicious',
    target: { kind: 'factor', id },
    details: { user_id: userId, reason },
    events: [{ type: 'factor.suspicious', data: { factor_id: id, user_id: userId, reason } }],
  };
}
