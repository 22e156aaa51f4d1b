import type { provePassword } from '@keywright/contract/routes/login-flows';
import type { FlowAnswer } from '@keywright/contract/records/login-flow';
import type { Fail } from '@keywright/contract/errors';
import type { BodyOf, ErrorsOf } from '@keywright/contract/route';
import type { Clock } from '../../../platform/clock.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { DeviceTokens, Flows } from '../flows/index.ts';
import { rateLimitsOf } from './attempts.ts';
import { createLoginMethods } from './methods.ts';
import { holderOf } from './prove.ts';
import { noteRefusal, noteThrottled, refusalOf } from './refused.ts';
import { type MustReplace, type TellOfBreach, decoyFor } from '../passwords/index.ts';
import type { Start } from './start.ts';
import { createStrengthen } from './strengthen.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
  readonly start: Start;
  readonly flows: Flows;
  readonly deviceTokens: DeviceTokens;
  readonly notes: Notes;
  readonly tellOfBreach: TellOfBreach;
  readonly mustReplace: MustReplace;
}

export type ProvePassword = (
  tenant: Tenant,
  flowId: string,
  body: BodyOf<typeof provePassword>,
  device: Device,
  fail: Fail<ErrorsOf<typeof provePassword>>,
) => Promise<FlowAnswer>;

/** The password as a step of a flow, counted and limited like a login. */
export function createProvePassword(dependencies: Dependencies): ProvePassword {
  const { flows, notes, passwords, clock, deviceTokens, start } = dependencies;
  const { tellOfBreach, mustReplace } = dependencies;
  const { password } = createLoginMethods(passwords);
  const strengthen = createStrengthen(dependencies);

  return async (tenant, flowId, { flow_token: token, secret, device_token }, device, fail) => {
    const flow = await flows.open(tenant, flowId, token, 'password', fail);
    const presented = deviceTokens.read(tenant.id, device_token ?? device.token, clock.now());
    const known = presented ?? flow.secret.device;
    const given = { identifier: flow.identifier, secret, known };
    const started = await start(tenant, given, device.from, fail);
    const { identifier, share, now, row, attempts } = started;
    if (row.retry_after !== null) {
      noteThrottled(notes, tenant, device.from, 'throttled');
      const limits = rateLimitsOf(attempts);
      return fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: row.retry_after, limits });
    }
    const decoy = decoyFor(tenant.foreignHashes, identifier.identifier);
    const user = holderOf(passwords, tenant, row, now);
    const shown = await password.prove({ user, secret, share, decoy });
    if (!shown || row.user_id === null || !row.is_active) {
      noteRefusal(
        notes,
        tenant,
        { from: device.from, identifier, userId: row.user_id },
        refusalOf(tenant, row),
      );
      return fail('INVALID_CREDENTIALS');
    }
    await strengthen(tenant, row, secret, share);
    tellOfBreach(tenant, shown.userId, device, secret);
    const step = { ...device, attempts, knownDevice: known };
    const isBreached = await mustReplace(tenant, secret, device.from);
    const method = isBreached ? 'breached_password' : 'password';
    return flows.advance(tenant, flow, { method, ...shown }, step, fail);
  };
}
