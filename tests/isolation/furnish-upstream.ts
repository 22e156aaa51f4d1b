import { expectStatus } from '../harness/http.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import {
  addProvider,
  startUpstreamFlow,
  comeBack,
  type FakeProvider,
  goToProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
} from '../harness/upstream.ts';

export interface UpstreamFurniture {
  /** Goes through a test of the provider; @returns its id */
  readonly testProvider: () => Promise<string>;
  /** The handoff of the last test. */
  readonly lastTested: () => string;
  /** Starts a flow that has returned from a provider with the identity of a user. */
  readonly startUpstream: () => Promise<string>;
  /** A provider that the admin can link. */
  readonly upstreamProvider: () => Promise<string>;
  /** A handoff that the admin can use to link an identity. */
  readonly linkHandoff: () => Promise<string>;
  /** Links an identity. @returns its provider */
  readonly linkIdentity: () => Promise<string>;
  readonly lastUpstream: () => {
    readonly flow_token: string;
    readonly provider: string;
    readonly handoff: string;
  };
}

/** Logins of a new user at a provider. */
export function furnishUpstream(
  { database }: Keywright,
  tenant: TestTenant,
  provider: FakeProvider,
  admin: TestUser,
): UpstreamFurniture {
  let last = { flow_token: 'lft_none', provider: 'idp_none', handoff: 'hnd_none' };
  let record: ReturnType<typeof addProvider> | undefined;
  let users = 0;
  const find = () => (record ??= addProvider(tenant, provider, { name: `gate of ${tenant.id}` }));
  const linkHandoff = async () => {
    const providerRecord = await find();
    await database.query('DELETE FROM user_credentials WHERE user_id = $1 AND provider = $2', [
      admin.user.id,
      providerRecord.id,
    ]);
    await database.query('DELETE FROM upstream_logins WHERE flow_id = $1', [admin.user.id]);
    const { access_token: token } = await tenant.login(admin.identifier, admin.password);
    const body = { provider: providerRecord.id, return_url: RETURN_URL };
    const started = await tenant.request('POST', '/me/identities', { token, body });
    const at = String(expectStatus(200, started)['authorize_url']);
    const back = await comeBack(tenant, provider.authorize(at, { sub: `admin-${tenant.id}` }));
    return { token, id: providerRecord.id, handoff: handoffOf(back) };
  };
  let tested = 'hnd_none';
  const testProvider = async () => {
    const providerRecord = await find();
    await database.query(`DELETE FROM upstream_logins WHERE flow_id LIKE 'test %'`);
    const { access_token: token } = await tenant.login(admin.identifier, admin.password);
    const options = { token, body: { return_url: RETURN_URL } };
    const started = await tenant.request(
      'POST',
      `/identity-providers/${providerRecord.id}/test`,
      options,
    );
    const at = String(expectStatus(200, started)['authorize_url']);
    const back = await comeBack(tenant, provider.authorize(at, { sub: `tester-${tenant.id}` }));
    tested = handoffOf(back);
    return providerRecord.id;
  };
  return {
    testProvider,
    lastTested: () => tested,
    upstreamProvider: async () => {
      await database.query('DELETE FROM upstream_logins WHERE flow_id = $1', [admin.user.id]);
      return (await find()).id;
    },
    linkHandoff: async () => (await linkHandoff()).handoff,
    linkIdentity: async () => {
      const { token, id, handoff } = await linkHandoff();
      const options = { token, body: { handoff } };
      expectStatus(200, await tenant.request('POST', '/me/identities/finish', options));
      return id;
    },
    startUpstream: async () => {
      const providerRecord = await find();
      users += 1;
      const name = `${tenant.id}-${users}`.replaceAll('_', '-');
      const person = { sub: name, email: `${name}@example.org` };
      const first = await startUpstreamFlow(tenant);
      expectStatus(
        200,
        await proveUpstream(tenant, first, { provider, record: providerRecord }, person),
      );
      const flow = await startUpstreamFlow(tenant);
      const back = provider.authorize(await goToProvider(tenant, flow, providerRecord), person);
      const handoff = handoffOf(await comeBack(tenant, back));
      last = { flow_token: flow.flow_token ?? '', provider: providerRecord.id, handoff };
      return flow.id;
    },
    lastUpstream: () => last,
  };
}

/** Returns the body of a request for the last flow. */
export function upstreamBodyOf({ lastUpstream }: UpstreamFurniture, step: 'begin' | 'finish') {
  const { flow_token, provider, handoff } = lastUpstream();
  return step === 'begin'
    ? { flow_token, provider, return_url: RETURN_URL }
    : { flow_token, handoff };
}

/** Adds an identity of a user at every existing provider of the tenant. */
export async function linkToAll({ database }: Keywright, { user }: TestUser): Promise<void> {
  await database.query(
    `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id)
     SELECT tenant_id, $2, 'oauth', id, 'subject of ' || tenant_id FROM identity_providers WHERE tenant_id = $1`,
    [user.tenant_id, user.id],
  );
}
