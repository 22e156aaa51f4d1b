import { setTimeout as pause } from 'node:timers/promises';
import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { DataKeyGone } from '../../../tenancy/audit-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { asTenant, type SystemData } from '../../../tenancy/system.ts';
import { anonymous } from '../../events/journal/index.ts';
import { countInNetworks, rateLimitOf } from '../../authentication/attempts/index.ts';
import { recordRevocation } from './recorded.ts';
import { findKeyOfAnyTenant } from './report-store.ts';
import { hashApiKey } from './secret.ts';
import { revokeApiKeyRow } from './store.ts';

/** Reports that one address may make: attempts, and the seconds that they are counted in. */
const LIMITS = { login_attempts_limit: 60, login_attempts_window: 60 };
const ROOM = { counter: 'reporter' as const, limits: LIMITS };
/** Answers are delayed to a fixed time, so that their timing reveals nothing. The work takes a few ms. */
const ANSWERED_AFTER_MS = 200;

/** Handles a report of a leaked key. */
export type TakeReport = (
  text: string,
  from: Origin,
  fail: Fail<'TOO_MANY_ATTEMPTS'>,
) => Promise<{ received: true }>;

interface Dependencies {
  readonly gate: Gate;
  readonly system: SystemData;
  readonly clock: Clock;
}

export function createTakeReport({ gate, system, clock }: Dependencies): TakeReport {
  async function revoke(hash: Buffer, from: Origin): Promise<void> {
    await system.maintain('an API key was reported as leaked', async (tx) => {
      const found = await findKeyOfAnyTenant(tx, hash);
      if (!found) return;
      await asTenant(tx, found.tenantId, async (own) => {
        const ended = await revokeApiKeyRow(own, found.keyId, 'leaked', clock.now());
        if (ended) await recordRevocation(own, anonymous(from), ended, 'leaked');
      });
    });
  }

  return async (text, from, fail) => {
    // The route has no tenant, so addresses are counted in the default one, which every installation has.
    const wait = await countInNetworks(gate.into(DEFAULT_TENANT), from.address, ROOM, clock.now());
    if (wait !== undefined) {
      fail('TOO_MANY_ATTEMPTS', {
        retryAfterSeconds: wait,
        limits: [rateLimitOf('address', LIMITS)],
      });
    }
    const hash = hashApiKey(text.trim());
    await Promise.all([hash && revoke(hash, from).catch(unlessGone), pause(ANSWERED_AFTER_MS)]);
    return { received: true };
  };
}

/** All keys of a tenant that is being deleted are already invalid. */
function unlessGone(error: unknown): void {
  if (!(error instanceof DataKeyGone)) throw error;
}
