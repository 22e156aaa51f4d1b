// Examples about logins at identity providers, inside applications, and in states of the whole service.

import { availableParallelism } from 'node:os';
import { expectStatus } from '../../harness/http.ts';
import { newClient, requestOf } from '../../harness/code-login.ts';
import { InApp, newInAppClient } from '../../harness/in-app.ts';
import { smsThrough } from '../../harness/sms-sink.ts';
import { newStatementKey } from '../../harness/statement-key.ts';
import { followStatus } from '../../harness/status.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import {
  addProvider,
  comeBack,
  goToProvider,
  handoffOf,
  proveUpstream,
  RETURN_URL,
  startUpstreamFlow,
  UPSTREAM_CONFIG,
} from '../../harness/upstream.ts';
import { asAdmin, ID, type Place, type Setup, type Setups } from './setup.ts';

const PERSON = { sub: 'subject-1', email: 'ada@example.org', email_verified: true };
/** More than any machine hashes at a time and lets wait. */
const HASHES = availableParallelism() * 33;

/** A tenant whose users can log in at a provider. */
async function federated({ newTenant, provider }: Place) {
  const tenant = await newTenant(UPSTREAM_CONFIG);
  const record = await addProvider(tenant, provider);
  return { tenant, record, values: { [`idp_${ID}`]: record.id } };
}

/** A user who starts to link the person's account at the provider. @returns the handoff of the provider's response */
async function linking(
  { provider }: Place,
  { tenant, record }: Awaited<ReturnType<typeof federated>>,
  token: string,
): Promise<string> {
  const body = { provider: record.id, return_url: RETURN_URL };
  const answer = await tenant.request('POST', '/me/identities', { token, body });
  const at = String(expectStatus(200, answer)['authorize_url']);
  return handoffOf(await comeBack(tenant, provider.authorize(at, PERSON)));
}

/** An application that shows its own login. */
async function inApp(tenant: TestTenant) {
  const client = await newInAppClient(tenant);
  return { tenant, client, values: { [`client_${ID}`]: client.id } };
}

export const LOGIN_SETUPS: Setups = {
  AUTH_SESSION_INVALID: async ({ newTenant }) => {
    const tenant = await newTenant();
    const login = new InApp(tenant, await newInAppClient(tenant));
    await login.start({ login_hint: (await tenant.createUser()).identifier });
    // The request is from another client.
    const { values } = await inApp(tenant);
    return { tenant, values: { ...values, '<old session>': login.session } };
  },
  INSUFFICIENT_AUTHORIZATION: async ({ newTenant }) => inApp(await newTenant()),
  REDIRECT_TO_WEB: async (place) => {
    const { tenant } = await federated(place);
    const app = await inApp(tenant);
    const config = { allowed_login_methods: ['oauth'] };
    const token = await place.keywright.adminToken();
    const options = { token, body: { config } };
    const path = `/tenants/${tenant.id}`;
    expectStatus(200, await place.keywright.home.request('PATCH', path, options));
    return app;
  },
  RETURN_URL_UNKNOWN: async (place) => {
    const { tenant, values } = await federated(place);
    const { id, flow_token: token = '' } = await startUpstreamFlow(tenant);
    return { tenant, values: { ...values, [`login_${ID}`]: id, '<flow_token>': token } };
  },
  PROVIDER_REFUSED: async (place) => {
    const { tenant, record } = await federated(place);
    // The handoff belongs to another flow.
    const other = await startUpstreamFlow(tenant);
    const at = await goToProvider(tenant, other, record);
    const handoff = handoffOf(await comeBack(tenant, place.provider.authorize(at, PERSON)));
    const { id, flow_token: token = '' } = await startUpstreamFlow(tenant);
    const values = { [`login_${ID}`]: id, '<flow_token>': token };
    return { tenant, values: { ...values, '<handoff>': handoff } };
  },
  IDENTITY_TAKEN: async (place) => {
    const { tenant, record, values } = await federated(place);
    const flow = await startUpstreamFlow(tenant);
    expectStatus(200, await proveUpstream(tenant, flow, { ...place, record }, PERSON));
    const { token } = await tenant.createUser();
    const handoff = await linking(place, { tenant, record, values }, token);
    return { tenant, token, values: { '<handoff>': handoff } };
  },
  LAST_LOGIN_METHOD: async (place) => {
    const { tenant, record, values } = await federated(place);
    const flow = await startUpstreamFlow(tenant);
    const answer = await proveUpstream(tenant, flow, { ...place, record }, PERSON);
    const { access_token: token = '' } = expectStatus(200, answer);
    return { tenant, token, values };
  },
  DOMAIN_OF_OTHER_PROVIDER: async (place) => {
    const { tenant, record } = await federated(place);
    const domain = 'acme.example';
    await asAdmin(tenant, 'POST', `/identity-providers/${record.id}/domains`, { domain });
    await place.keywright.database.query(
      'UPDATE provider_domains SET verified_at = now() WHERE tenant_id = $1',
      [tenant.id],
    );
    const { id } = await addProvider(tenant, place.provider, { name: 'Other' });
    return { tenant, values: { [`idp_${ID}`]: id } };
  },
  ISSUER_ELSEWHERE: async ({ keywright }) => {
    const domain = 'sign-in.acme.example';
    const tenant = await keywright.tenant('elsewhere', { domains: [domain] });
    const options = { token: await keywright.adminToken(), body: { issuer: `https://${domain}` } };
    const path = `/tenants/${tenant.id}`;
    expectStatus(200, await keywright.home.request('PATCH', path, options));
    return { tenant };
  },
  REQUEST_OBJECT_INVALID: async ({ keywright, acme }) => {
    const [key, other] = await Promise.all([newStatementKey('ES256'), newStatementKey('ES256')]);
    const jwks = { keys: [key.publicJwk] };
    const { id } = await newClient(acme, { kind: 'spa', jwks });
    const iat = Math.floor(keywright.clock.now().getTime() / 1000);
    const claims = { iss: id, aud: `https://id.example.com/t/${acme.id}`, iat, exp: iat + 60 };
    const request = await other.sign({ ...claims, ...requestOf({ id }) });
    return { values: { [`client_${ID}`]: id, '<signed request>': request } };
  },
  TOO_MANY_CLIENTS: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    const { id } = await newClient(tenant);
    await keywright.database.query(
      `INSERT INTO oauth_clients
       SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'client_' || n))).*
         FROM oauth_clients c, generate_series(1, 19999) AS n WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    return { tenant };
  },
};

/** Examples about messages. */
export const MESSAGE_SETUPS: Setups = {
  DESTINATION_REFUSED: async ({ newTenant }) => {
    const tenant = await newTenant({ sms_countries: ['DE'] });
    const sms = smsThrough({ url: 'https://sms.example.com' });
    await asAdmin(tenant, 'PATCH', `/tenants/${tenant.id}`, { messaging: { sms } });
    return { tenant, token: (await tenant.createUser()).token };
  },
  FEEDBACK_REFUSED: async ({ acme }) => {
    const { url = '' } = await asAdmin<{ url?: string }>(acme, 'GET', '/messaging/feedback');
    return { token: url.slice(url.lastIndexOf('/') + 1) };
  },
};

/** Examples about states of the whole service. */
export const STATE_SETUPS: Setups = {
  TOO_BUSY: ({ keywright, acme }): Setup => ({
    async while(send) {
      const { passwords } = keywright.nodes[0] ?? {};
      const share = { flow: acme.id, source: '127.0.0.1' };
      const over = new AbortController();
      const hashing = Array.from({ length: HASHES }, async () => {
        while (!over.signal.aborted) await passwords?.verify(undefined, 'a secret', share);
      });
      const answer = await send();
      over.abort();
      await Promise.all(hashing);
      return answer;
    },
  }),
  UNAVAILABLE: ({ keywright, acme }): Setup => ({
    async while(send) {
      const stream = await followStatus(keywright.url, `/t/${acme.id}/status/stream`);
      const answer = await send();
      stream.close();
      return answer;
    },
  }),
};
