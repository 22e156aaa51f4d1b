import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { ProviderTest } from '@keywright/contract/records/provider-test';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import { findProvider, markTested } from '../identity-providers/index.ts';
import { type AuthorizationRequests, handoffHash } from './authorization-requests.ts';
import { testPageOf } from './upstream-login-rules.ts';
import { takeTestResult, testOwner, type TestResult } from './upstream-login-store.ts';

/** The wait after too many tests: until the last one has expired. */
const WAIT_SECONDS = 600;

/** Runs test logins that let administrators try the settings of a provider. */
export class ProviderTestService {
  readonly #gate: Gate;
  readonly #requests: AuthorizationRequests;

  constructor(gate: Gate, requests: AuthorizationRequests) {
    this.#gate = gate;
    this.#requests = requests;
  }

  /** Starts a test login. @returns the URL to redirect the tester's browser to */
  async begin(
    tenant: Tenant,
    caller: Caller,
    { provider, returnUrl }: { readonly provider: string; readonly returnUrl: string },
    fail: Fail<
      | 'NOT_FOUND'
      | 'RETURN_URL_UNKNOWN'
      | 'PROVIDER_REFUSED'
      | 'TOO_MANY_ATTEMPTS'
      | 'SCOPE_NOT_HELD'
    >,
  ): Promise<string> {
    await this.#gate.into(tenant.id).transaction((tx) => requireAsMuchAsAnyone(tx, caller, fail));
    const isOwnPage = returnUrl === testPageOf(tenant, provider);
    const login = { owner: testOwner(caller), identifier: '', asksLogin: false };
    const url = await this.#requests.start(tenant, login, { provider, returnUrl, isOwnPage }, fail);
    return url ?? fail('TOO_MANY_ATTEMPTS', { retryAfterSeconds: WAIT_SECONDS });
  }

  /** The result of a test, which can be read once. */
  finish(
    tenant: Tenant,
    caller: Caller,
    { provider, handoff }: { readonly provider: string; readonly handoff: string },
    fail: Fail<'NOT_FOUND' | 'PROVIDER_REFUSED' | 'SCOPE_NOT_HELD'>,
  ): Promise<ProviderTest> {
    const id = parseIdentityProviderId(provider) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireAsMuchAsAnyone(tx, caller, fail);
      if (!(await findProvider(tx, id))) fail('NOT_FOUND');
      const taken = await takeTestResult(tx, id, handoffHash(handoff));
      const { result, version } = taken ?? fail('PROVIDER_REFUSED');
      const testedAt = result.reason === null ? await markTested(tx, id, version) : undefined;
      await record(tx, caller, {
        action: 'identity_provider.tested',
        target: { kind: 'identity_provider', id },
        details: result.reason === null ? {} : { reason: result.reason },
        events: [],
      });
      return present(tenant, id, result, testedAt);
    });
  }
}

function present(
  { id: tenantId }: Tenant,
  providerId: IdentityProviderId,
  { reason, identity, claims }: TestResult,
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
