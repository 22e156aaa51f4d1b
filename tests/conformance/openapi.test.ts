import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ERRORS, type ErrorBody, type ErrorCode } from '@keywright/contract/errors';
import type { CreatedApiKey } from '@keywright/contract/records/api-key';
import { SECRET_MARK, type TokenAnswer } from '@keywright/contract/records/tokens';
import type { UserRecord } from '@keywright/contract/records/user';
import { impliedErrors, type Route } from '@keywright/contract/route';
import { login } from '@keywright/contract/routes/auth';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import { DISCOVERY_ROUTES } from '@keywright/contract/routes/discovery';
import { ROUTES } from '@keywright/contract/routes';
import { NOTES_ROUTES } from '../pages/notes-routes.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { evaluationOf } from '../harness/evaluation.ts';
import { type Answer, type JsonBody, expectStatus, type RequestOptions } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailThrough } from '../harness/mailed.ts';
import { newStatementKey } from '../harness/statement-key.ts';
import { sessionOf } from '../harness/token.ts';
import { ApiDocument } from './document.ts';
import { codeOnPage } from '../pages/cookie-jar.ts';
import type { WalkOptions } from './walk.ts';
import { walkLogins } from './walk-logins.ts';
import { type LogoSite, startLogoSite, walkTenants } from './walk-tenants.ts';

/** Codes of requests that reach no route, and of those that the console sends from inside a tenant. */
const GENERAL: readonly ErrorCode[] = [
  'REQUEST_MALFORMED',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'IMPERSONATION_REQUIRED',
];
const SECRET = 'a-secret-of-the-service';

let sink: MailSink;
let site: LogoSite;
let keywright: Keywright;
let document: ApiDocument;

before(async () => {
  // No server listens there: messages wait.
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  site = await startLogoSite();
  keywright = await startKeywright({ env, outside: site });
  document = await ApiDocument.read(
    expectStatus(200, await keywright.request('GET', '/openapi.json')),
  );
});

after(async () => {
  await keywright.close();
  await sink.close();
  await site.close();
});

const codesOf = (route: Route) => [...new Set([...route.errors, ...impliedErrors(route)])];

describe('the document at /openapi.json', () => {
  test('The document at /openapi.json is valid OpenAPI 3.1, and has every route of the contract and no other', () => {
    const routes = ROUTES.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    assert.deepEqual(document.operations.toSorted(), routes.toSorted());
    assert.deepEqual(
      ROUTES.map((route) => document.operation(route).operationId),
      ROUTES.map(({ id }) => id),
    );
  });

  // Go, C# and Java have one name for `type` and `Type`.
  test('The OpenAPI document has no fields that differ only by case, which generated clients cannot tell apart', () => {
    for (const schema of document.objectSchemas()) {
      const names = Object.keys(schema).map((name) => name.replaceAll('_', '').toLowerCase());
      assert.deepEqual(names, [...new Set(names)]);
    }
  });

  test('The OpenAPI document names every code of every route under its status, and no other (SPEC errors status 1)', () => {
    for (const route of ROUTES) {
      const declared = codesOf(route).map((code) => `${ERRORS[code].status} ${code}`);
      assert.deepEqual(document.codes(route).toSorted(), declared.toSorted(), route.id);
    }
  });

  test('The OpenAPI document has examples that another validator accepts', () => {
    const flaws = ROUTES.flatMap((route) => document.flawsOfExamples(route));
    assert.deepEqual(flaws, []);
  });

  test('The OpenAPI document uses every code of the catalog', () => {
    const used = new Set([...GENERAL, ...[...ROUTES, ...NOTES_ROUTES].flatMap(codesOf)]);
    assert.deepEqual([...used].toSorted(), Object.keys(ERRORS).toSorted());
  });
});

type Params = Readonly<Record<string, string>>;

function pathOf(route: Route, params: Params = {}): string {
  return route.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'user:none');
}

describe('responses are as documented', () => {
  const walked = new Set<string>();

  async function walk<Body = JsonBody>(id: string, options: WalkOptions = {}): Promise<Body> {
    const route = ROUTES.find((candidate) => candidate.id === id);
    assert.ok(route, id);
    const { params, query = '', ...rest } = options;
    const answer = await keywright.home.request<Body>(
      route.method,
      pathOf(route, params) + query,
      rest,
    );
    assert.equal(answer.status, route.ok.status, answer.text);
    document.assertDescribes(route, answer);
    walked.add(id);
    return answer.body;
  }

  test('The response of every route is as documented, without undeclared fields', async () => {
    const token = await keywright.adminToken();
    const identifier = newIdentifier();
    const secret = newPassword();
    const { id } = await walk<UserRecord>('users.create', {
      token,
      body: { identifier, password: secret },
    });
    const lines = `{"identifiers":[{"identifier":"${newIdentifier()}"}]}\n{}\n`;
    const contentType = 'application/x-ndjson';
    await walk('users.import', { token, rawBody: lines, contentType });
    await walk('auth.methods');
    const first = await walk<TokenAnswer>('auth.login', { body: { identifier, secret } });
    const refreshToken = { refresh_token: first.refresh_token };
    const second = await walk<TokenAnswer>('auth.refresh', { body: refreshToken });
    const { access_token: accessToken } = second;
    await walk('auth.verify_token', { token, body: { token: accessToken } });
    await walk('auth.verify_token', { token, body: { token: 'none' } });
    const check = { token: accessToken, scope: 'read:users' };
    const evaluation = evaluationOf(check);
    const elsewhere = evaluationOf({ ...check, workspace_id: 'ws_nowhere' });
    await walk('access.evaluation', { token, body: evaluation });
    await walk('access.evaluation', { token, body: { ...evaluation, context: { explain: true } } });
    await walk('access.evaluations', { token, body: { evaluations: [evaluation, elsewhere] } });
    const atIssuer = { token, params: { tenant_id: keywright.home.id } };
    await walk('access.evaluation_by_issuer', { ...atIssuer, body: evaluation });
    await walk('access.evaluations_by_issuer', { ...atIssuer, body: evaluation });
    await walk('access.explain', { token, body: check });
    await walk('me.get', { token: accessToken });
    await walk('me.permissions', { token: accessToken });
    const profile = { name: 'Ada Lovelace', locale: 'de' };
    await walk('me.update_profile', { token: accessToken, body: profile });
    await walk('me.get_profile', { token: accessToken });
    const change = { user_metadata: { a: [1, { b: null }] } };
    await walk('me.update', { token: accessToken, body: change });
    await walkLogins({ walk, keywright, sink, token }, { id, identifier, secret, tokens: second });
    await walk('users.list', { token, query: '?limit=1' });
    await walk('users.export', { token, query: '?is_active=true' });
    await walk('users.get', { token, params: { user_id: id } });
    await walk('audit.get_names', { token, query: `?ids=${id}` });
    await walk('users.update', { token, params: { user_id: id }, body: { roles: ['admin'] } });
    await walk('sessions.list', { token, query: `?user_id=${id}&limit=1` });
    await walk('sessions.delete', { token, params: { session_id: sessionOf(accessToken) } });
    await walk('sessions.delete_all', { token, query: `?user_id=${id}` });
    const { access_token: last } = await walk<TokenAnswer>('auth.login', {
      body: { identifier, secret },
    });
    await walk('auth.logout', { token: last });
    const params = { user_id: id };
    await walk('users.permissions', { token, params });
    await walk('users.dependents', { token, params });
    await walk('users.disable', { token, params, body: { reason: 'a walk' } });
    await walk('users.delete', { token, params, query: '?dry_run=true' });
    await walk('users.delete', { token, params });
    await walkWorkspaces(token);
    await walkRolesAndKeys(token);
    await walkTenants({ walk, keywright, site }, token);
    await walkAgents(token);
    await walkWebhooks(token);
    await walkMessages(token);
    await walk('events.list', { token, query: '?limit=100' });
    await walk('events.stream', { token });
    await walk('audit.list', { token, query: '?limit=100' });
    await walk('audit.list_activity', { token });
    await walk('audit.list_own', { token });
    await walk('audit.list_checkpoints', { token });
    await walk('key_set.get');
    await walk('key_set.get_by_issuer', { params: { tenant_id: keywright.home.id } });
    const ofIssuer = { tenant_id: keywright.home.id };
    for (const { id: routeId } of DISCOVERY_ROUTES) await walk(routeId, { params: ofIssuer });
    await walk('discovery.authzen', {});
    await walk('discovery.authzen_by_issuer', { params: ofIssuer });
    const shard = { shard: '0' };
    await walk('status.get', { params: shard });
    await walk('status.get_by_issuer', { params: { ...shard, ...ofIssuer } });
    await walk('status.stream');
    await walk('status.stream_by_issuer', { params: ofIssuer });
    await walk('service.health');
    await walk('service.live');
    await walk('service.openapi');
    await walk('service.root');
    assert.deepEqual([...walked].toSorted(), ROUTES.map((route) => route.id).toSorted());
  });

  async function walkWorkspaces(token: string): Promise<void> {
    const body = { name: 'Süd Büro' };
    const { id } = await walk<{ id: string }>('workspaces.create', { token, body });
    const { user } = await keywright.createUser();
    const params = { workspace_id: id, user_id: user.id };
    await walk('workspaces.list', { token, query: '?limit=1' });
    await walk('workspaces.get', { token, params });
    await walk('workspaces.update', { token, params, body: { is_active: false } });
    await walk('workspaces.add_member', { token, params });
    await walk('workspaces.list_members', { token, params });
    await walk('workspaces.remove_member', { token, params });
    await walk('workspaces.delete', { token, params, query: '?force=true' });
  }

  async function walkRolesAndKeys(token: string): Promise<void> {
    const params = { role: 'reader' };
    await walk('roles.create', { token, body: { name: 'reader', scopes: ['read:users'] } });
    await walk('roles.list', { token });
    await walk('roles.get', { token, params });
    await walk('roles.update', { token, params, body: { description: 'reads' } });
    await walk('roles.delete', { token, params });
    const { id } = await walk<{ id: string }>('keys.rotate', { token });
    await walk('keys.list', { token });
    await walk('keys.retire', { token, params: { key_id: id } });
  }

  async function walkAgents(token: string): Promise<void> {
    const body = { name: 'Mäher', description: 'mows\nlawns', scopes: ['read:*'] };
    const { id } = await walk<{ id: string }>('agents.create', { token, body });
    const params = { agent_id: id };
    await walk('agents.list', { token, query: '?is_active=true&limit=1' });
    await walk('agents.get', { token, params });
    await walk('agents.update', { token, params, body: { scopes: ['read:users'] } });
    const keyBody = { agent_id: id, name: 'a key', allowed_ips: ['127.0.0.1', '::1/64'] };
    const made = await walk<CreatedApiKey>('apikeys.create', { token, body: keyBody });
    const keyParams = { key_id: made.id };
    await walk('me.get', { token: made.key ?? '' });
    await walk('auth.verify_token', { token, body: { token: made.key } });
    await walkTokens(token, id, made.key ?? '');
    await walk('apikeys.list', { token, query: `?agent_id=${id}` });
    await walk('apikeys.get', { token, params: keyParams });
    await walk('apikeys.rotate', { token, params: keyParams, body: { overlap_days: 1 } });
    await walk('apikeys.delete', { token, params: keyParams });
    await walk('apikeys.report', { body: { key: made.key } });
    await walk('agents.dependents', { token, params });
    await walk('agents.delete', { token, params, query: '?dry_run=true' });
    await walk('agents.delete', { token, params });
  }

  async function walkMessages(token: string): Promise<void> {
    const params = { kind: 'login', locale: 'de' };
    const text = { subject: 'Ein Code', text: 'Er lautet {{code}}.' };
    await walk('messaging.get_template', { token, params });
    await walk('messaging.put_template', { token, params, body: text });
    await walk('messaging.preview', { token, body: { kind: 'login', locale: 'de' } });
    await walk('messaging.delete_template', { token, params });
    await walk('messaging.test', { token, body: { to: 'ada@example.org' } });
    await walk('messaging.list_messages', { token, query: '?status=pending' });
    const { url } = await walk<{ url: string }>('messaging.get_feedback_address', { token });
    const secret = { tenant_id: keywright.home.id, token: url.split('/').at(-1) ?? '' };
    const email = { email: 'lost@example.org', at: new Date().toISOString() };
    const report = { type: 'bounce', id: 'a report', ...email };
    await walk('messaging.feedback', { params: secret, body: report });
    await walk('messaging.feedback_by_issuer', { params: secret, body: report });
    const address = 'gone@example.org';
    await keywright.nodes[0]?.messages.messageLog.suppress(keywright.home.id, address, 'bounce');
    await walk('messaging.list_suppressions', { token });
    const suppression = { token, params: { suppression: address } };
    await walk('messaging.get_suppression', suppression);
    await walk('messaging.delete_suppression', suppression);
  }

  async function walkWebhooks(token: string): Promise<void> {
    const body = { url: 'https://hooks.example.com/in', events: ['webhook.disabled'] };
    const { id } = await walk<{ id: string }>('webhooks.create', { token, body });
    const params = { webhook_id: id };
    await walk('webhooks.list', { token, query: '?limit=1' });
    await walk('webhooks.get', { token, params });
    await walk('webhooks.update', { token, params, body: { is_active: false } });
    await walk('webhooks.rotate', { token, params, body: { overlap_hours: 1 } });
    const sent = await walk<{ id: string; event_id: string }>('webhooks.test', { token, params });
    await walk('webhooks.list_deliveries', { token, params, query: '?status=pending' });
    const delivery = { ...params, delivery_id: sent.id };
    await walk('webhooks.retry_delivery', { token, params: delivery });
    await walk('webhooks.replay', { token, params, body: { after: sent.event_id } });
    await walk('webhooks.delete', { token, params });
  }

  async function walkTokens(token: string, agentId: string, key: string): Promise<void> {
    const { publicJwk } = await newStatementKey();
    const trust = { issuer: 'https://ci.example.com', audience: 'us', claims: { ref: ['a', 7] } };
    const proofs = { jwks: { keys: [publicJwk] }, trusts: [trust] };
    await walk('agents.update', { token, params: { agent_id: agentId }, body: proofs });
    const client = { client_id: agentId, client_secret: key };
    const tokenRequest = { body: { grant_type: 'client_credentials', ...client } };
    await walk('auth.token', tokenRequest);
    const ofHome = { tenant_id: keywright.home.id };
    await walk('auth.token_by_issuer', { ...tokenRequest, params: ofHome });
    const body = { agent_id: agentId, scopes: ['read:users'] };
    const { id } = await walk<{ id: string }>('delegations.create', { token, body });
    const params = { delegation_id: id };
    await walk('delegations.list', { token });
    await walk('delegations.get', { token, params });
    const previewOptions = { params: { agent_id: agentId }, query: '?scope=read:users' };
    await walk('delegations.preview', { token, ...previewOptions });
    const subject = { subject_token: id, subject_token_type: TOKEN_TYPE.delegation };
    const exchange = { grant_type: GRANT_TYPE.tokenExchange, ...client, ...subject };
    await walk('auth.token', { body: exchange });
    await walk('delegations.delete', { token, params });
  }

  test('The response after too many attempts is as documented, with Retry-After and the limits that applied', async () => {
    const limits = { login_attempts_limit: 1, login_attempts_window: 60 };
    const tenant = await keywright.tenant('limited', { config: limits });
    const body = { identifier: newIdentifier(), secret: newPassword() };
    const attempt = () => tenant.request<ErrorBody>('POST', '/auth/login', { body });
    // A network that is new to the identifier has three, whatever the limit.
    for (let time = 0; time < 3; time += 1) expectStatus(401, await attempt());
    const refused = await attempt();
    assert.equal(expectStatus(429, refused).code, 'TOO_MANY_ATTEMPTS');
    document.assertDescribes(login, refused);
    const wait = Number(refused.headers['retry-after']);
    assert.ok(wait > 0 && wait <= limits.login_attempts_window);
    const policy = '"identifier";q=1;w=60, "address";q=10;w=60';
    assert.equal(refused.headers['ratelimit-policy'], policy);
    assert.equal(refused.headers['ratelimit'], undefined, 'which one was reached is not told');
  });

  for (const route of ROUTES) {
    test(`A failure of ${route.id} has a code that it declares, and contains nothing of a secret that was sent`, async () => {
      const { token } = await keywright.createUser();
      const { identifier, password } = keywright.admin;
      const { access_token: adminToken } = await keywright.login(identifier, password);
      const refusals: Answer<ErrorBody>[] = [];
      for (const { query = '', ...options } of badRequests(route, token, adminToken)) {
        const path = pathOf(route) + query;
        refusals.push(await keywright.home.request<ErrorBody>(route.method, path, options));
      }
      for (const answer of refusals.filter(({ status }) => status >= 400)) {
        const code = codeOnPage(answer) ?? answer.body.code;
        assert.notEqual(code, 'INTERNAL');
        const isGeneral = GENERAL.some((general) => general === code);
        if (!isGeneral) {
          document.assertDescribes(route, answer);
          assert.ok(
            document.codes(route).includes(`${answer.status} ${code}`),
            `${answer.status} ${code}`,
          );
        }
        assert.ok(!JSON.stringify([answer.headers, answer.text]).includes(SECRET), answer.text);
      }
    });
  }
});

interface BadRequest extends RequestOptions {
  readonly query?: string;
}

/** Faults for any route's request; a secret is in every place that could hold one. */
function badRequests(route: Route, token: string, adminToken: string): BadRequest[] {
  const requests: BadRequest[] = [
    { host: 'unknown.example.com', tenant: [] },
    { tenant: `org_${SECRET}`, token: SECRET },
    {},
    { token: SECRET },
    { token: `${token}${SECRET}` },
    { token, query: `?access_token=${SECRET}` },
    { token },
  ];
  if (route.method === 'GET') return requests;
  const bodies: BadRequest[] = [
    { rawBody: `{"secret":"${SECRET}` },
    { rawBody: `{"secret":"${SECRET}"}`, contentType: 'text/plain' },
    { rawBody: `secret=${SECRET}`, contentType: 'application/x-www-form-urlencoded' },
    { rawBody: `{"x":"${SECRET.repeat(80_000)}"}` },
    ...secretFields(route).flatMap((field) =>
      [SECRET, [SECRET], { [field]: SECRET }, SECRET.repeat(100), `\0${SECRET}`].map((value) => ({
        body: { identifier: 'ada@example.com', [field]: value },
      })),
    ),
    { body: { identifier: SECRET, unknown: SECRET } },
    { body: { name: 'a', messaging: { email: { smtp_password: SECRET, smtp_port: 0 } } } },
    { body: { name: 'a', messaging: { sms: { auth_token: [SECRET], provider: 1 } } } },
    { body: { name: 'a', messaging: { sms: { auth_token: SECRET.repeat(40) } } } },
  ];
  return [...requests, ...bodies.map((body) => Object.assign(body, { token: adminToken }))];
}

/** The fields of a body marked as secret in the contract. */
function secretFields({ body }: Route): string[] {
  return Object.entries(body?.properties ?? {}).flatMap(([name, schema]) =>
    SECRET_MARK in schema ? [name] : [],
  );
}
