// A service with a tenant whose users log in at a fake provider.

import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier } from './credentials.ts';
import { type Keywright, startKeywright } from './keywright.ts';
import type { TestTenant } from './tenant.ts';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  type Person,
  proveUpstream,
  startFakeProvider,
  type UpstreamAnswer,
  UPSTREAM_CONFIG,
} from './upstream.ts';

type Options = NonNullable<Parameters<typeof startKeywright>[0]>;

interface UpstreamLoginOptions extends Options {
  /** Of the tenant. */
  readonly slug: string;
  /** Of the provider. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A person with an address verified by the provider. */
type VerifiedPerson = Person & { readonly email: string };

export interface UpstreamLogin {
  readonly keywright: Keywright;
  readonly tenant: TestTenant;
  readonly provider: FakeProvider;
  readonly record: IdentityProviderRecord;
  newPerson(email?: string): VerifiedPerson;
  /** A complete login at the provider. @param body the flow's body @param at another record of the provider */
  logIn(
    person: Person,
    body?: Readonly<Record<string, unknown>>,
    at?: IdentityProviderRecord,
  ): Promise<{ readonly flow: OfferedFlow; readonly answer: UpstreamAnswer }>;
  close(): Promise<void>;
}

export async function startUpstreamLogin({
  slug,
  fields,
  env,
  ...options
}: UpstreamLoginOptions): Promise<UpstreamLogin> {
  const keywright = await startKeywright({
    ...options,
    env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1', ...env },
  });
  const provider = await startFakeProvider();
  if (options.clock === 'fake') provider.now = () => keywright.clock.now().getTime();
  const tenant = await keywright.tenant(slug, { config: UPSTREAM_CONFIG });
  const record = await addProvider(tenant, provider, fields);
  let people = 0;
  return {
    keywright,
    tenant,
    provider,
    record,
    newPerson(email = newIdentifier()) {
      people += 1;
      return { sub: `subject-${people}`, email, email_verified: true };
    },
    async logIn(person, body = {}, at = record) {
      const flow = await startUpstreamFlow(tenant, body);
      return { flow, answer: await proveUpstream(tenant, flow, { provider, record: at }, person) };
    },
    async close() {
      await keywright.close();
      await provider.close();
    },
  };
}
