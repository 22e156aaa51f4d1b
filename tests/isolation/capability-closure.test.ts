// Each single scope, with each kind of credential: its holder calls every route that the scope allows, with the bodies
// that would gain the most, and must gain nothing beyond that scope. Generated from the contract; a new changing route
// must declare its moves.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Route, scopeOf, scopesToEnter } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { missingScopes } from '@keywright/contract/scopes';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import type { Credentials } from '../harness/tenant.ts';
import { prepareHolders } from '../harness/holders.ts';
import { pathParametersOf, pathRecord } from './examples.ts';
import { sendExample } from './route-requests.ts';
import { EVIL, openSecondSteps } from './second-steps.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
after(() => world.close());
const { tenant } = world.local;

/** The account that the attacker tries to take over. */
const victim = await tenant.createUser({ roles: ['admin'] });
const victimPath = { user_id: victim.user.id };
/** An account of the attacker without permissions. */
const mallory = await tenant.createUser();
const malloryPath = { user_id: mallory.user.id };
const steps = await openSecondSteps(world, { victim, attacker: mallory });
/** A password that the attacker sets. */
const PASSWORD = newPassword();

interface Move {
  readonly body?: object;
  readonly path?: Readonly<Record<string, string>>;
}

/** The usual body of the matrix, for a record that the holder owns or creates, gains nothing. */
const USUAL: readonly Move[] = [{}];
const grantAll: readonly Move[] = [{}, { body: { name: 'more', scopes: ['*:*'] } }];
const everySetting = {
  return_urls: [EVIL],
  magic_link_url: EVIL,
  passkey_origins: ['https://evil.example'],
  allowed_login_methods: ['password'],
  require_mfa: false,
  custom_claims: { plan: 'gold' },
  allowed_origins: ['https://evil.example'],
  sms_countries: ['DE'],
};
const EVIL_PROVIDER = {
  type: 'oidc',
  name: 'Evil',
  issuer: 'https://id.evil.example',
  client_id: 'keywright',
  domains: [victim.identifier.split('@')[1]],
  link: 'auto',
  trust_mfa: true,
  is_active: true,
  skip_test: true,
};
const EVIL_SERVER = { smtp_host: 'mail.evil.example', from_address: 'no-reply@evil.example' };
const TRUSTED = { name: 'Evil', kind: 'web', first_party: true, redirect_uris: [EVIL] };

/** The attempts of a holder at each changing route. */
const MOVES: Readonly<Record<string, readonly Move[]>> = {
  'tenants.update': [
    ...Object.entries(everySetting).map(([name, value]) => ({
      body: { config: { [name]: value } },
    })),
    { body: { messaging: { email: EVIL_SERVER } } },
    { body: { messaging: { sms: { provider: 'webhook', url: EVIL } } } },
    { body: { domains: ['evil.example'] } },
    { body: { name: 'Log in at evil.example' } },
    {},
  ],
  'providers.create': [{ body: EVIL_PROVIDER }],
  'providers.update': [
    {
      body: {
        issuer: 'https://id.evil.example',
        client_secret: 'x',
        link: 'auto',
        skip_test: true,
      },
    },
    { body: { is_active: true, skip_test: true } },
  ],
  'providers.delete': USUAL,
  'providers.add_domain': USUAL,
  'providers.verify_domain': USUAL,
  'providers.remove_domain': USUAL,
  'providers.test': USUAL,
  'providers.finish_test': USUAL,
  'messaging.put_template': [
    { body: { subject: 'Your code', text: '{{code}} at evil.example' } },
    {},
  ],
  'messaging.delete_template': USUAL,
  'messaging.test': [{ body: { to: 'a@evil.example', email: EVIL_SERVER } }, {}],
  'messaging.delete_suppression': USUAL,
  'branding.put_text': [{ body: { text: 'Sign in at evil.example' } }, {}],
  'branding.delete_text': USUAL,
  'branding.put_logo': USUAL,
  'branding.delete_logo': USUAL,
  'branding.fetch_logos': USUAL,
  'users.create': [
    { body: { identifier: newIdentifier(), password: PASSWORD, roles: ['admin'] } },
    {},
  ],
  'users.update': [
    { path: victimPath, body: { password: PASSWORD } },
    { path: victimPath, body: { identifiers: [{ identifier: newIdentifier(), verified: true }] } },
    { path: victimPath, body: { is_active: false } },
    { path: malloryPath, body: { roles: ['admin'] } },
    { path: malloryPath, body: { metadata: { role: 'admin' } } },
  ],
  'users.put_picture': [{ path: victimPath }],
  'users.delete_picture': [{ path: victimPath }],
  'users.delete': [{ path: victimPath }],
  'users.disable': [{ path: victimPath }],
  'users.recover': [{ path: victimPath }],
  'users.unlock': [{ path: victimPath }],
  'users.delete_factor': [{ path: { ...victimPath } }],
  'users.import': USUAL,
  'invitations.create': [{ body: { identifier: newIdentifier(), roles: ['admin'] } }, {}],
  'invitations.resend': USUAL,
  'invitations.delete': USUAL,
  'roles.create': grantAll,
  'roles.update': [
    { body: { scopes: ['*:*'] } },
    { path: { role: 'member' }, body: { scopes: ['*:*'] } },
  ],
  'roles.delete': [{ path: { role: 'admin' } }],
  'agents.create': grantAll,
  'agents.update': [{ body: { scopes: ['*:*'] } }],
  'agents.delete': USUAL,
  'apikeys.create': [{ body: { agent_id: world.local.robot.agent.id, name: 'mine' } }, {}],
  'apikeys.rotate': [{ path: { key_id: world.local.robot.record.id } }],
  'apikeys.delete': USUAL,
  'clients.create': [
    { body: TRUSTED },
    { body: { ...TRUSTED, kind: 'native', in_app_login: true } },
    { body: { ...TRUSTED, first_party: false, scopes: ['openid', '*:*'] } },
    { body: { ...TRUSTED, first_party: false, scopes: ['openid', 'write:clients'] } },
  ],
  'clients.update': [
    { body: { first_party: true, redirect_uris: [EVIL] } },
    { body: { scopes: ['openid', '*:*'] } },
    { path: { client_id: steps.approved.id }, body: { redirect_uris: [EVIL] } },
  ],
  'clients.update_branding': USUAL,
  'clients.put_image': USUAL,
  'clients.delete_image': USUAL,
  'clients.create_secret': USUAL,
  'clients.delete_secret': USUAL,
  'clients.test_login': [{ body: {} }],
  'clients.delete': USUAL,
  'clients.create_registration_token': [{ body: { name: 'more', scopes: ['*:*'] } }, {}],
  'clients.delete_registration_token': USUAL,
};

const SCOPED = ROUTES.filter((route) => scopeOf(route) !== undefined);
const changes = ({ method }: Route) => method !== 'GET';
/** Routes that cannot name a user, a permission or an address: their usual body is their move. */
const PLAIN =
  /^(webhooks|workspaces|sessions|events|audit|keys|resources|consents|access|tokens)\./;
const isPlain = ({ id }: Route) => PLAIN.test(id) || /_stream$|preview$/.test(id);
const movesOf = (route: Route) => MOVES[route.id] ?? (isPlain(route) ? USUAL : undefined);

const holdersOf = await prepareHolders(world.keywright, tenant, victim);

test('Each changing route with a scope declares the moves that its holder would try', () => {
  const missing = SCOPED.filter((route) => changes(route) && movesOf(route) === undefined);
  const hint = 'declare what their holder would try in MOVES';
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
    hint,
  );
  const scopedIds = new Set(SCOPED.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(MOVES).filter((id) => !scopedIds.has(id)),
    [],
  );
});

async function tryAll(token: string, routes: readonly Route[]): Promise<Answer<JsonBody>[]> {
  const answers: Answer<JsonBody>[] = [];
  for (const route of routes) {
    for (const { body, path: named } of movesOf(route) ?? USUAL) {
      const path: Record<string, string> = {};
      for (const name of pathParametersOf(route)) {
        path[name] = named?.[name] ?? pathRecord(name, route).present(world.local);
      }
      const answer = await sendExample(world, route, { token, path, ...(body && { body }) });
      answers.push(answer, ...(await steps.follow(answer)));
    }
  }
  return answers;
}

/** Usable credentials in responses. */
const CREDENTIALS = /svc_sk_\w+|eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Everything that decides who has access, as the administrator sees it. */
async function doors(): Promise<unknown> {
  const token = await tenant.adminToken();
  const read = async (path: string) => (await tenant.request('GET', path, { token })).body;
  const { config, messaging, domains } = await read(`/tenants/${tenant.id}`);
  const { locales: _, ...settings } = config as JsonBody;
  const clients = (await read('/clients?limit=100'))['items'] as readonly JsonBody[];
  // The time of a login is recorded after its response.
  const { last_login_at: _at, ...victimRecord } = await read(`/users/${victim.user.id}`);
  return {
    settings,
    messaging,
    domains,
    providers: (await read('/identity-providers?limit=100'))['items'],
    trusted: clients.filter(
      (client) => client['first_party'] === true || client['in_app_login'] === true,
    ),
    victim: victimRecord,
  };
}

async function scopesOfLogin({ identifier, password }: Credentials): Promise<string[]> {
  const secret = { identifier, secret: password };
  const answer = await tenant.request('POST', '/auth/login', { body: secret });
  return answer.status === 200 ? scopesIn(String(answer.body['access_token'])) : [];
}

async function scopesIn(token: string): Promise<string[]> {
  const options = { token: await tenant.adminToken(), body: { token } };
  const { body } = await tenant.request('POST', '/auth/verify-token', options);
  return body['active'] === true ? ((body['scopes'] ?? []) as string[]) : [];
}

const scopes = [...new Set(SCOPED.flatMap((route) => scopesToEnter(route)))].toSorted();
for (const scope of scopes) {
  test(`The scope ${scope} alone leads to nothing above it, regardless of who holds it`, async () => {
    const routes = SCOPED.filter((route) => scopesToEnter(route).includes(scope as never));
    const before = await doors();
    const accept = await steps.invite([world.local.role, 'member']);
    for (const [kind, token] of Object.entries(await holdersOf(scope))) {
      const answers = await tryAll(token, routes);
      for (const { text } of answers) {
        for (const [found] of text.matchAll(CREDENTIALS)) {
          const gained = missingScopes([scope], await scopesIn(found));
          assert.deepEqual(gained, [], `a ${kind} got a credential with ${gained.join(', ')}`);
        }
      }
      assert.deepEqual(await doors(), before, `a ${kind} changed who gets in`);
    }
    // A caller who changes a role also changes the grant of an invitation to themselves.
    const { access_token } = expectStatus(200, await accept());
    assert.deepEqual(missingScopes([scope], await scopesIn(String(access_token))), []);
    for (const account of [mallory, { ...victim, password: PASSWORD }]) {
      assert.deepEqual(missingScopes([scope], await scopesOfLogin(account)), []);
    }
  });
}
