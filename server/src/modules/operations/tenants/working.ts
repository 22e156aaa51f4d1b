import type { Fail } from '@keywright/contract/errors';
import type {
  TenantConfigPatch,
  TenantMessagingPatch,
  TenantRecord,
} from '@keywright/contract/records/tenant';
import type { Config } from '../../../platform/config.ts';
import { isDevelopment, sendsMailForAll } from '../../../platform/development.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { requirePasskeyDomain } from './passkey-domain.ts';
import { requireReachable, requireReady } from './rules.ts';
import { requireSms } from './sms.ts';

interface Dependencies {
  readonly egress: Egress;
  readonly config: Config;
}

interface Patch {
  readonly config?: TenantConfigPatch;
  readonly messaging?: TenantMessagingPatch;
  readonly domains?: readonly string[];
}

/** Rejects settings that could not work, or under which nobody could log in. */
export async function requireWorking(
  { egress, config }: Dependencies,
  patch: Patch,
  after: Pick<TenantRecord, 'config' | 'messaging' | 'issuer' | 'domains'>,
  hasProviders: boolean,
  fail: Fail<'VALIDATION_FAILED' | 'METHOD_NOT_READY'>,
): Promise<void> {
  const installed = { sendsMailForAll: sendsMailForAll(config), hasProviders };
  requireReachable(egress, patch.messaging, after.messaging, fail);
  requireReady(patch, after, installed, fail);
  const showsMessages = isDevelopment(config);
  await requireSms(egress, patch, after, { showsMessages }, fail);
  await requirePasskeyDomain(patch, after, fail);
}
