import { DeviceBrowser, deviceClient, startDevice } from '../../harness/device.ts';
import { createUserWith } from '../../harness/delegation.ts';
import { newClient } from '../../harness/code-login.ts';
import { newDpopKey } from '../../harness/dpop.ts';
import { expectStatus } from '../../harness/http.ts';
import { newRegistrationToken } from '../../harness/registration.ts';
import { SignalClient } from '../../harness/signals.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import { asAdmin, ID, type Place, type Setup, type Setups } from './setup.ts';

const APP = 'https://app.acme.example/callback';
const OPEN = { oauth_registration: 'open' };
const HOUR = 3600;

async function systemAdministrator({ keywright }: Place): Promise<Setup> {
  return { token: await keywright.adminToken() };
}

async function registrationToken({ newTenant }: Place): Promise<Setup> {
  const tenant = await newTenant({ oauth_registration: 'token' });
  const { registration_token: token = '' } = await newRegistrationToken(tenant);
  return { tenant, values: { '<registration token>': token } };
}

/** The current signing key. */
async function currentKey(tenant: TestTenant): Promise<Readonly<Record<string, string>>> {
  const { items } = await asAdmin<{ items: { id: string; state: string }[] }>(
    tenant,
    'GET',
    '/keys',
  );
  return { [`key_${ID}`]: items.find(({ state }) => state === 'current')?.id ?? '' };
}

/** An agent that authenticates with its key. */
async function agent(tenant: TestTenant): Promise<Setup> {
  const {
    agent: { id },
    key,
  } = await tenant.createAgent({ scopes: ['read:users'] });
  return { values: { [`service:${ID}`]: id, '<api_key>': key } };
}

/** A client of the code flow. */
async function client({ acme }: Place): Promise<Setup> {
  const { id } = await newClient(acme, { kind: 'spa', redirect_uris: [APP] });
  return { values: { [`client_${ID}`]: id } };
}

/** An identity provider that was never used. */
async function provider({ acme }: Place): Promise<Setup> {
  const { id } = await asAdmin<{ id: string }>(acme, 'POST', '/identity-providers', {
    type: 'oidc',
    name: 'Acme',
    issuer: 'https://login.acme.example',
    client_id: 'keywright',
  });
  return { values: { [`idp_${ID}`]: id } };
}

async function device({ acme }: Place): Promise<Setup> {
  const registered = await deviceClient(acme);
  const { authorization } = await startDevice(acme, registered);
  const values = { [`client_${ID}`]: registered.id, '<device_code>': authorization.device_code };
  return { values };
}

/** Examples about tenants, keys and webhooks. */
export const TENANT_SETUPS: Setups = {
  DEFAULT_TENANT_PROTECTED: systemAdministrator,
  DOMAIN_TAKEN: async ({ keywright }) => {
    await keywright.tenant('neighbor', { domains: ['login.acme.example'] });
    return { token: await keywright.adminToken() };
  },
  ROTATION_IN_PROGRESS: async ({ newTenant }) => ({ tenant: await newTenant(), times: 2 }),
  KEY_IN_USE: async ({ acme }) => ({ values: await currentKey(acme) }),
  APIKEY_ROTATED: async ({ acme }) => {
    const { record } = await acme.createAgent();
    return { values: { [`key_${ID}`]: record.id }, times: 2 };
  },
  APIKEY_ENDED: async ({ acme }) => {
    const { record } = await acme.createAgent();
    await asAdmin(acme, 'DELETE', `/apikeys/${record.id}`);
    return { values: { [`key_${ID}`]: record.id } };
  },
  TOO_MANY_WEBHOOKS: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    await keywright.database.query(
      `INSERT INTO webhooks (tenant_id, id, url, events, secret, created_at)
       SELECT $1, 'wh_' || n, 'https://a.example.com/', '{webhook.disabled}', '', now()
         FROM generate_series(1, 1000) AS n`,
      [tenant.id],
    );
    return { tenant };
  },
  TOO_MANY_TEXTS: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    await keywright.database.query(
      `INSERT INTO tenant_texts (tenant_id, locale, key, text, updated_at)
       SELECT $1, 'fr', 'x.' || n, 'x', now() FROM generate_series(1, 500) AS n`,
      [tenant.id],
    );
    return { tenant };
  },
  TOO_MANY_IDENTITY_PROVIDERS: async ({ newTenant }) => ({ tenant: await newTenant(), times: 51 }),
};

/** Examples about applications and their tokens. */
export const OAUTH_SETUPS: Setups = {
  GRANT_TYPE_UNSUPPORTED: client,
  GRANT_INVALID: client,
  CLIENT_INVALID: ({ acme }) => agent(acme),
  CLIENT_UNAUTHORIZED: async ({ acme }) => {
    const { id } = await newClient(acme, { kind: 'spa', grant_types: ['authorization_code'] });
    return { values: { [`client_${ID}`]: id } };
  },
  AUTHORIZATION_PENDING: device,
  SLOW_DOWN: async (place) => ({ ...(await device(place)), times: 2 }),
  DEVICE_DENIED: async ({ acme }) => {
    const registered = await deviceClient(acme);
    const { authorization, userCode } = await startDevice(acme, registered);
    const user = await acme.createUser();
    await new DeviceBrowser(acme, 'https://id.example.com/t/org_acme', user).decide(
      userCode,
      'deny',
    );
    return {
      values: { [`client_${ID}`]: registered.id, '<device_code>': authorization.device_code },
    };
  },
  DEVICE_CODE_EXPIRED: async (place) => {
    const setup = await device(place);
    place.keywright.clock.advance(HOUR);
    return setup;
  },
  SCOPE_INVALID: ({ acme }) => agent(acme),
  TARGET_INVALID: ({ acme }) => agent(acme),
  EXCHANGE_REFUSED: ({ acme }) => agent(acme),
  DELEGATION_REQUIRED: async (place) => {
    const { values } = await agent(place.acme);
    const { token } = await createUserWith(place.acme, ['read:users']);
    return { values: { ...values, '<access token of the user>': token } };
  },
  DPOP_INVALID: async (place) => {
    const { values } = await agent(place.acme);
    const key = await newDpopKey(() => place.keywright.clock.now());
    const proof = await key.prove({ htu: 'https://other.example.com/' });
    return { values: { ...values, '<proof for another URL>': proof } };
  },
  AUTHORIZATION_DETAILS_INVALID: client,
  REQUEST_INVALID: client,
  OAUTH_OFF: async ({ newTenant }) => ({ tenant: await newTenant({ oauth_enabled: false }) }),
  RESPONSE_TYPE_UNSUPPORTED: client,
  UNMET_AUTHENTICATION: client,
  CLIENT_METADATA_INVALID: registrationToken,
  REDIRECT_URI_INVALID: registrationToken,
  REGISTRATION_FULL: async ({ newTenant }) => ({
    tenant: await newTenant({ ...OPEN, oauth_max_registered_clients: 1 }),
    times: 2,
  }),
  REGISTRATION_TOKEN_INVALID: async ({ newTenant }) => {
    const tenant = await newTenant({ oauth_registration: 'token' });
    const { registration_token: token = '' } = await newRegistrationToken(tenant, { uses: 1 });
    const options = { token, body: { redirect_uris: [APP] } };
    expectStatus(201, await tenant.request('POST', '/oauth/register', options));
    return { tenant, values: { '<used token>': token } };
  },
  REGISTRATION_OFF: async ({ newTenant }) => ({
    tenant: await newTenant({ oauth_registration: 'off' }),
  }),
  COOKIE_REFUSED: () => ({ values: { '<request>': 'x'.repeat(22) } }),
  FORM_TOO_OLD: () => ({ values: { '<request>': 'x'.repeat(22) } }),
  TOO_MANY_STREAMS: async ({ acme }) => ({
    token: await (await SignalClient.register(acme)).token(),
    times: 6,
  }),
  PROVIDER_NOT_TESTED: provider,
  DOMAIN_NOT_PROVEN: async (place) => {
    const setup = await provider(place);
    const [id = ''] = Object.values(setup.values ?? {});
    await asAdmin(place.acme, 'POST', `/identity-providers/${id}/domains`, {
      domain: 'acme.example',
    });
    return setup;
  },
  TOO_MANY_REGISTRATION_TOKENS: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    const { id } = await newRegistrationToken(tenant);
    await keywright.database.query(
      `INSERT INTO registration_tokens
       SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'rgt_' || n, 'token_hash', '\\x' || md5(n::text)))).*
         FROM registration_tokens t, generate_series(1, 999) AS n WHERE tenant_id = $1 AND id = $2`,
      [tenant.id, id],
    );
    return { tenant };
  },
  SIGNALS_REFUSED: async ({ acme }) => {
    const receiver = await SignalClient.register(acme);
    const token = await receiver.token();
    await asAdmin(acme, 'PATCH', `/clients/${receiver.client.id}`, {
      shared_signals: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
    });
    return { token };
  },
  DPOP_NONCE_REQUIRED: async ({ keywright, newTenant }) => {
    const tenant = await newTenant({ oauth_dpop_nonces: true });
    const { values } = await agent(tenant);
    const key = await newDpopKey(() => keywright.clock.now());
    return { tenant, values: { ...values, '<proof without a nonce>': await key.prove() } };
  },
  RESOURCE_TAKEN: async ({ newTenant }) => ({ tenant: await newTenant(), times: 2 }),
  TOO_MANY_RESOURCES: async ({ newTenant }) => {
    const tenant = await newTenant();
    for (let count = 0; count < 100; count += 1) {
      const uri = `https://api-${count}.acme.example`;
      await asAdmin(tenant, 'POST', '/resources', { name: 'Files', uri });
    }
    return { tenant };
  },
  TOO_MANY_CLIENT_SECRETS: async ({ acme }) => {
    const { id } = await newClient(acme);
    return { values: { [`client_${ID}`]: id }, times: 2 };
  },
  CLIENT_HAS_NO_SECRET: client,
};
