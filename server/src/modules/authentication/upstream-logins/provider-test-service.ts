import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { findProvider, noteTested } from '../identity-providers/index.ts';
import { handoffHash } from './upstream-login-secrets.ts';
import { type Asked, type BeginDependencies, beginLogin } from './begin.ts';
import { takeTested, type Tested, testOwner } from './upstream-login-store.ts';

/** The wait after too many tests: until the last one has expired. */
const WAIT_SECONDS = 600;

/** Starts a test login. @returns where the tester's browser is sent */
export async function beginTest(
  dependencies: BeginDependencies,
  tenant: Tenant,
  caller: Caller,
  asked: Asked,
  fail: Fail<
    'NOT_FOUND' | 'RETURN_URL_UNKNOWN' | 'PROVIDER_REFUSED' | 'TOO_MANY_ATTEMPTS' | 'SCOPE_NOT_HELD'
  >,
): Promise<string> {
  await dependencies.gate
    .into(tenant.id)
    .transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
  const begins = { owner: testOwner(caller), identifier: '', asksLogin: false };
  const at = await beginLogin(dependencies, tenant, begins, asked, fail);
  return at ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: WAIT_SECONDS });
}

/** The result of a test, which can be read once. */
export function finishTest(
  { gate }: { readonly gate: Gate },
  tenant: Tenant,
  caller: Caller,
  { provider, handoff }: { readonly provider: string; readonly handoff: string },
  fail: Fail<'NOT_FOUND' | 'PROVIDER_REFUSED' | 'SCOPE_NOT_HELD'>,
): Promise<ProviderTest> {
  const id = parseIdentityProviderId(provider) ?? fail('NOT_FOUND');
  return gate.into(tenant.id).transaction(async (tx) => {
    await requireAsMuchAsAnyone(tx, caller, fail);
    if (!(await findProvider(tx, id))) fail('NOT_FOUND');
    const left = (await takeTested(tx, id, handoffHash(handoff))) ?? fail('PROVIDER_REFUSED');
    const { tested, version } = left;
    const testedAt = tested.reason === null ? await noteTested(tx, id, version) : undefined;
    await record(tx, caller, {
      action: 'identity_provider.tested',
      target: { kind: 'identity_provider', id },
      details: tested.reason === null ? {} : { reason: tested.reason },
      events: [],
    });
    return present(tenant, id, tested, testedAt);
  });
}

function present(
  { id: tenantId }: Tenant,
  providerId: IdentityProviderId,
  { reason, identity, claims }: Tested,
  testedAt: Date | undefined,
): ProviderTest {
  return {
    provider_id: providerId,
    tenant_id: tenantId,
    accepted: reason === null,
    reason,
    subject: identity?.subject ?? null,
    email: identity?.email ?? null,
    is_verified: identity?.is_verified ?? false,
    is_authoritative: identity?.is_authoritative ?? false,
    has_mfa: identity?.has_mfa ?? false,
    tested_at: testedAt?.toISOString() ?? null,
    claims: claims && { ...claims },
  };
}
