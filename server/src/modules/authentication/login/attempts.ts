import type { RateLimit } from '@keywright/contract/errors';
import { clientNetworks } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  addressSubject,
  type Attempt,
  deviceSubject,
  identifierSubject,
} from '../attempts/index.ts';
import type { KnownDevice } from '../flows/index.ts';

const ADDRESS_FACTOR = 10;

/** The kinds of networks, by how much more than an address they are let. */
const KIND_OF: Readonly<Record<number, Attempt['kind']>> = { 4: 'site', 16: 'range' };

/** The counters of a login. */
export function attemptsOf(
  { config }: Tenant,
  from: Origin,
  identifier: string,
  device: KnownDevice | undefined,
): Attempt[] {
  const limit = config.login_attempts_limit;
  const ofAddress = config.login_attempts_address_limit ?? ADDRESS_FACTOR * limit;
  const attempts: Attempt[] = [
    { kind: 'identifier', subject: identifierSubject(identifier), limit },
    ...clientNetworks(from.address).map(({ name, times }) => ({
      kind: KIND_OF[times] ?? 'address',
      subject: addressSubject(name),
      limit: times * ofAddress,
    })),
  ];
  if (device) attempts.push({ kind: 'device', subject: deviceSubject(device.id), limit });
  return attempts;
}

/** How long to wait, and the limits that apply. */
export interface Wait {
  readonly retryAfterSeconds: number;
  readonly limits: readonly RateLimit[];
}

export function rateLimitsOf({ config }: Tenant, attempts: readonly Attempt[]): RateLimit[] {
  const windowSeconds = config.login_attempts_window;
  return attempts
    .filter(({ kind }) => kind !== 'site' && kind !== 'range')
    .map(({ kind, limit }) => ({ name: kind, quota: limit, windowSeconds }));
}

/** Which counters apply: only its own for a known device, whatever others have tried. */
export function countedOf(attempts: readonly Attempt[], isDeviceKnown: boolean): Attempt[] {
  return attempts.filter(({ kind }) => (kind === 'device') === isDeviceKnown);
}
