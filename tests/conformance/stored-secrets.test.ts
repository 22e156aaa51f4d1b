// Secrets that are stored to be sent, or to sign what is sent: a caller who may change their destination does not learn
// them.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import { SECRET_MARK } from '@keywright/contract/records/tokens';
import { ROUTES } from '@keywright/contract/routes';
import { DELIVERY_METHODS } from '@keywright/contract/signals';
import { type Answer, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { SignalClient } from '../harness/signals.ts';
import type { TestTenant } from '../harness/tenant.ts';

/** A secret of a record, and the other fields of a change to such a record. */
interface Stored {
  /** The routes that accept the secret; the first one changes a record. */
  readonly routes: readonly [string, ...string[]];
  /** JSON pointer of the object that contains the secret. The field name is `secret`. */
  readonly at: string;
  readonly secret: string;
  /** Fields that determine the secret's destination or its owner's name there, each with other values. */
  readonly destinations: Readonly<Record<string, readonly unknown[]>>;
  /** Fields of the same object that do not determine the destination. */
  readonly others: readonly string[];
  /** The object without the secret, for each kind of record that has the fields. */
  readonly kinds: readonly { readonly base: Readonly<Record<string, unknown>> }[];
}

const elsewhere = (path = '') => `https://elsewhere.example.com/${path}`;
const PROVIDER = {
  routes: ['providers.update', 'providers.create'],
  at: '',
  secret: 'client_secret',
} as const;
const LOGIN = { name: 'Upstream', is_active: false, client_id: 'ours' };
const STREAM = {
  at: '/delivery',
  secret: 'authorization_header',
  // Polled streams send nothing.
  destinations: { endpoint_url: [elsewhere()] },
  others: ['method'],
  kinds: [
    { base: { method: DELIVERY_METHODS.push, endpoint_url: 'https://receiver.example.com/set' } },
  ],
} as const;

const EMAIL = {
  // `provider` has one value.
  others: ['provider', 'from_address', 'from_name', 'reply_to'],
  kinds: [
    {
      base: {
        smtp_host: 'mail.example.com',
        smtp_port: 465,
        smtp_username: 'acme',
        smtp_security: 'tls',
        from_address: 'no-reply@example.com',
      },
    },
  ],
} as const;

const STORED: readonly Stored[] = [
  {
    routes: ['tenants.update', 'tenants.create'],
    at: '/messaging/email',
    secret: 'smtp_password',
    destinations: {
      smtp_host: ['elsewhere.example.com', null],
      smtp_port: [2525, null],
      smtp_username: ['other', null],
      smtp_security: ['starttls', null],
    },
    ...EMAIL,
  },
  {
    // The stored password can be tested with settings that are not saved.
    routes: ['messaging.test'],
    at: '/email',
    secret: 'smtp_password',
    destinations: {
      smtp_host: ['elsewhere.example.com'],
      smtp_port: [2525],
      smtp_username: ['other'],
      smtp_security: ['starttls'],
    },
    ...EMAIL,
  },
  {
    routes: ['tenants.update', 'tenants.create'],
    at: '/messaging/sms',
    secret: 'auth_token',
    destinations: {
      provider: ['vonage', null],
      account_sid: ['other', null],
      url: [elsewhere(), null],
    },
    others: ['from', 'secret'],
    kinds: [
      {
        base: {
          provider: 'twilio',
          account_sid: 'AC-ours',
          from: '+15005550006',
          url: 'https://api.example.com',
        },
      },
    ],
  },
  {
    routes: ['tenants.update', 'tenants.create'],
    at: '/messaging/sms',
    secret: 'secret',
    destinations: { provider: ['vonage', null], url: [elsewhere(), null] },
    others: ['from', 'account_sid', 'auth_token'],
    kinds: [{ base: { provider: 'webhook', url: 'https://sms.example.com/send' } }],
  },
  {
    routes: ['webhooks.update', 'webhooks.create', 'webhooks.rotate'],
    at: '',
    secret: 'secret',
    destinations: { url: [elsewhere(), 'https://hooks.example.com/other'] },
    others: ['events', 'is_active'],
    kinds: [{ base: { url: 'https://hooks.example.com/', events: ['webhook.deleted'] } }],
  },
  {
    ...PROVIDER,
    destinations: {
      issuer: ['https://elsewhere.example.com'],
      client_id: ['other'],
      authorization_endpoint: [elsewhere('authorize')],
      token_endpoint: [elsewhere('token')],
      userinfo_endpoint: [elsewhere('user')],
      team_id: ['AAAAAAAAAA'],
      key_id: ['AAAAAAAAAA'],
    },
    others: [
      'name',
      'scopes',
      'domains',
      'link',
      'trust_mfa',
      'allowed_tenants',
      'subject_claim',
      'is_active',
      'skip_test',
    ],
    kinds: [
      { base: { ...LOGIN, type: 'oidc', issuer: 'https://id.example.com' } },
      { base: { ...LOGIN, type: 'google' } },
      { base: { ...LOGIN, type: 'github' } },
      { base: { ...LOGIN, type: 'apple', team_id: '8K2M4P6Q9R', key_id: 'ABC123DEFG' } },
      {
        base: {
          ...LOGIN,
          type: 'oauth2',
          issuer: 'https://id.example.com',
          authorization_endpoint: 'https://id.example.com/authorize',
          token_endpoint: 'https://id.example.com/token',
          userinfo_endpoint: 'https://id.example.com/user',
        },
      },
    ],
  },
  { ...STREAM, routes: ['signals.update_stream', 'signals.create_stream'] },
  { ...STREAM, routes: ['signals.replace_stream'] },
];

/** Secrets that identify or confirm a request, or that are stored as hashes: they are never sent. */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  '/secret': [
    'auth.login',
    'flows.password',
    'flows.new_password',
    'account.submit',
    'oauth.submit',
    'oauth.undo_change',
  ],
  '/client_secret': [
    'auth.token',
    'oauth.push',
    'oauth.challenge',
    'oauth.device_authorization',
    'oauth.change_registration',
    'oauth.revoke',
    'oauth.introspect',
  ],
  '/password': ['identifiers.undo', 'me.update', 'users.create', 'users.update', 'oauth.challenge'],
};
/** The same, by names of fields that are always such secrets. */
const ALWAYS_COMPARED = [
  'access_token',
  'actor_token',
  'assertion',
  'auth_session',
  'client_assertion',
  'code',
  'code_verifier',
  'continue',
  'credential',
  'current',
  'current_password',
  'device_code',
  'device_token',
  'flow_token',
  'handoff',
  'key',
  'link_token',
  'message_code',
  'passkey',
  'recovery_code',
  'refresh_token',
  'request',
  'subject/id',
  'evaluations/*/subject/id',
  'subject_token',
  'token',
  'totp_code',
  'undo_token',
  'user_code',
].map((name) => `/${name}`);

interface Schema {
  readonly [SECRET_MARK]?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const partsOf = ({ anyOf = [], ...rest }: Schema): Schema[] => [rest, ...anyOf.flatMap(partsOf)];

function* secretsIn(schema: Schema | undefined, path = ''): Generator<string> {
  for (const part of schema ? partsOf(schema) : []) {
    if (part[SECRET_MARK]) yield path;
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      yield* secretsIn(property, `${path}/${name}`);
    }
    yield* secretsIn(part.items, `${path}/*`);
  }
}

/** The object at a pointer. */
function objectAt(schema: Schema, pointer: string): Schema | undefined {
  let found: Schema | undefined = schema;
  for (const name of pointer.split('/').slice(1)) {
    found = found && partsOf(found).find((part) => part.properties?.[name])?.properties?.[name];
  }
  return found && partsOf(found).find((part) => part.properties);
}

/** The same route at another address. */
const nameOf = (id: string) => id.replace(/_by_issuer$/, '');
const routesOf = (id: string) => ROUTES.filter((route) => nameOf(route.id) === id);

describe('the table of stored secrets', () => {
  test('The table of stored secrets lists every secret in a request body that is not only compared', () => {
    const missing = ROUTES.flatMap(({ id, body }) =>
      [...new Set(secretsIn(body as Schema | undefined))]
        .filter(
          (path) =>
            !ALWAYS_COMPARED.includes(path) &&
            !COMPARED[path]?.includes(nameOf(id)) &&
            !STORED.some(
              ({ routes, at, secret }) => routes.includes(nameOf(id)) && `${at}/${secret}` === path,
            ),
        )
        .map((path) => `${id} ${path}`),
    );
    assert.deepEqual(missing, [], 'say whether they are sent anywhere, and what decides where');
  });

  test('The table of stored secrets says for every field next to a secret whether it decides where the secret is sent', () => {
    for (const { routes, at, secret, destinations, others } of STORED) {
      const said = [secret, ...Object.keys(destinations), ...others].toSorted();
      const [route] = routesOf(routes[0]);
      const object = objectAt(route?.body as Schema, at);
      const fieldNames = Object.keys(object?.properties ?? {}).toSorted();
      assert.deepEqual(said, fieldNames, `${routes[0]} ${at}`);
    }
  });
});

/** A record with the secret, and how to change and read it. */
interface Changing {
  readonly change: (fields: object) => Promise<Answer<ErrorBody>>;
  readonly read: () => Promise<unknown>;
}

const SECRET = 'a secret of at least 16 characters'.replaceAll(' ', '-');

describe('a stored secret', () => {
  let keywright: Keywright;
  let tenant: TestTenant;

  before(async () => {
    keywright = await startKeywright();
    tenant = await keywright.tenant('stored');
  });
  after(() => keywright.close());

  const requestAsAdmin = async (method: string, path: string, body?: object) =>
    tenant.request<ErrorBody & Record<string, unknown>>(method, path, {
      token: await tenant.adminToken(),
      ...(body && { body }),
    });

  const records =
    (path: string) =>
    async (base: object): Promise<Changing> => {
      const { id } = expectStatus(201, await requestAsAdmin('POST', path, base));
      const recordPath = `${path}/${String(id)}`;
      return {
        change: (fields) => requestAsAdmin('PATCH', recordPath, fields),
        read: async () => expectStatus(200, await requestAsAdmin('GET', recordPath)),
      };
    };
  const settings =
    (group: string) =>
    async (base: object): Promise<Changing> => {
      const path = `/tenants/${tenant.id}`;
      const change = (fields: object | null) =>
        requestAsAdmin('PATCH', path, { messaging: { [group]: fields } });
      expectStatus(200, await change(null));
      expectStatus(200, await change(base));
      return {
        change,
        read: async () => expectStatus(200, await requestAsAdmin('GET', path))['messaging'],
      };
    };
  const unsaved = async (base: object): Promise<Changing> => {
    const { read } = await settings('email')(base);
    const { smtp_password: _, ...shown } = { ...base } as Record<string, unknown>;
    const change = async (fields: object) => {
      const body = { to: 'ada@example.org', email: { ...shown, ...fields } };
      const answer = await requestAsAdmin('POST', '/messaging/test', body);
      return { ...answer, status: answer.status === 201 ? 200 : answer.status };
    };
    return { change, read };
  };
  const streams =
    (method: string) =>
    async (base: object): Promise<Changing> => {
      const client = await SignalClient.register(tenant);
      const { stream_id } = await client.stream(undefined, { delivery: base });
      const { [STREAM.secret]: _, ...shown } = { ...base } as Record<string, unknown>;
      return {
        change: (fields) =>
          client.call(method, '/streams', { stream_id, delivery: { ...shown, ...fields } }),
        read: async () => (await client.call('GET', `/streams?stream_id=${stream_id}`)).body,
      };
    };
  const CREATE: Readonly<Record<string, (base: object) => Promise<Changing>>> = {
    'tenants.update /messaging/email': settings('email'),
    'tenants.update /messaging/sms': settings('sms'),
    'messaging.test /email': unsaved,
    'webhooks.update ': records('/webhooks'),
    'providers.update ': records('/identity-providers'),
    'signals.update_stream /delivery': streams('PATCH'),
    'signals.replace_stream /delivery': streams('PUT'),
  };

  for (const { routes, at, secret, destinations, kinds } of STORED) {
    const [id] = routes;
    for (const { base } of kinds) {
      const kind = typeof base['type'] === 'string' ? ` of the type ${base['type']}` : '';
      for (const [field, values] of Object.entries(destinations)) {
        const isUsed = field in base || (field === 'issuer' && 'type' in base);
        for (const value of isUsed ? values : []) {
          test(`${secret} of ${id}${at}${kind} is not sent on with another ${field} (${String(value)}): it is required again`, async () => {
            const create = CREATE[`${id} ${at}`];
            assert.ok(create, 'say how such a record is made');
            const { change, read } = await create({ ...base, [secret]: SECRET });
            const present = await read();
            const same = base[field] === undefined ? {} : { [field]: base[field] };
            if (field in base) expectStatus(200, await change(same));
            const refused = expectStatus(400, await change({ [field]: value }));
            if (refused.errors) assert.deepEqual(refused.errors[0]?.path, `${at}/${secret}`);
            else assert.match(JSON.stringify(refused), new RegExp(secret));
            assert.deepEqual(await read(), present);
            expectStatus(200, await change({ [field]: value, [secret]: SECRET }));
          });
        }
      }
    }
  }
});
