import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { ERRORS } from './errors.ts';
import { SECRET_MARK } from './records/tokens.ts';
import {
  API_BASE,
  bodyLimitOf,
  impliedErrors,
  isPage,
  needsSameOrigin,
  needsToken,
  type Route,
  scopeOf,
} from './route.ts';
import { ROUTES } from './routes.ts';
import { ScopeSchema } from './scope-schema.ts';
import { UNREPEATABLE } from './unrepeatable.ts';

/** Every route of the specification that is implemented. */
const SPECIFIED = [
  'POST /api/sso/v1/auth/login',
  'POST /api/sso/v1/auth/refresh',
  'POST /api/sso/v1/auth/logout',
  'POST /api/sso/v1/auth/verify-token',
  'GET /api/sso/v1/me',
  'GET /api/sso/v1/users',
  'GET /api/sso/v1/users/:user_id',
  'POST /api/sso/v1/users',
  'PATCH /api/sso/v1/users/:user_id',
  'DELETE /api/sso/v1/users/:user_id',
  'GET /api/sso/v1/tenants',
  'POST /api/sso/v1/tenants',
  'GET /api/sso/v1/tenants/:tenant_id',
  'PATCH /api/sso/v1/tenants/:tenant_id',
  'DELETE /api/sso/v1/tenants/:tenant_id',
  'POST /api/sso/v1/agents',
  'GET /api/sso/v1/agents',
  'GET /api/sso/v1/agents/:agent_id',
  'PATCH /api/sso/v1/agents/:agent_id',
  'DELETE /api/sso/v1/agents/:agent_id',
  'POST /api/sso/v1/apikeys',
  'GET /api/sso/v1/apikeys',
  'GET /api/sso/v1/apikeys/:key_id',
  'DELETE /api/sso/v1/apikeys/:key_id',
  'GET /.well-known/jwks.json',
  'GET /health',
];
/** Routes of the service that are not part of its API. */
const OUTSIDE = [
  '/.well-known/ssf-configuration',
  '/.well-known/ssf-configuration/t/:tenant_id',
  '/oauth/ssf/streams',
  '/t/:tenant_id/oauth/ssf/streams',
  '/oauth/ssf/status',
  '/t/:tenant_id/oauth/ssf/status',
  '/oauth/ssf/verify',
  '/t/:tenant_id/oauth/ssf/verify',
  '/oauth/ssf/poll/:stream_id',
  '/t/:tenant_id/oauth/ssf/poll/:stream_id',
  '/assets/fonts/:file',
  '/t/:tenant_id/assets/fonts/:file',
  '/assets/look.css',
  '/t/:tenant_id/assets/look.css',
  '/oauth/authorize-challenge',
  '/oauth/par',
  '/oauth/register',
  '/t/:tenant_id/oauth/register',
  '/oauth/register/:client_id',
  '/t/:tenant_id/oauth/register/:client_id',
  '/t/:tenant_id/oauth/authorize-challenge',
  '/t/:tenant_id/oauth/par',
  '/oauth/logout/ended',
  '/t/:tenant_id/oauth/logout/ended',
  '/.well-known/jwks.json',
  '/t/:tenant_id/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/t/:tenant_id',
  '/t/:tenant_id/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/openid-configuration/t/:tenant_id',
  '/t/:tenant_id/.well-known/openid-configuration',
  '/t/:tenant_id/auth/token',
  '/t/:tenant_id/messaging/feedback/:token',
  '/t/:tenant_id/callback/:provider_id',
  '/oauth/userinfo',
  '/t/:tenant_id/oauth/userinfo',
  '/oauth/revoke',
  '/t/:tenant_id/oauth/revoke',
  '/oauth/introspect',
  '/t/:tenant_id/oauth/introspect',
  '/oauth/authorize',
  '/t/:tenant_id/oauth/authorize',
  '/oauth/continue',
  '/t/:tenant_id/oauth/continue',
  '/oauth/logout',
  '/t/:tenant_id/oauth/logout',
  '/oauth/logout/confirm',
  '/t/:tenant_id/oauth/logout/confirm',
  '/.well-known/webauthn',
  '/.well-known/authzen-configuration',
  '/.well-known/authzen-configuration/t/:tenant_id',
  '/access/v1/evaluation',
  '/t/:tenant_id/access/v1/evaluation',
  '/access/v1/evaluations',
  '/t/:tenant_id/access/v1/evaluations',
  '/health',
  '/livez',
  '/openapi.json',
  '/',
  '/status/:shard',
  '/status/stream',
  '/t/:tenant_id/status/:shard',
  '/t/:tenant_id/status/stream',
  '/oauth/returned',
  '/t/:tenant_id/oauth/returned',
  '/oauth/invitation',
  '/t/:tenant_id/oauth/invitation',
  '/oauth/undo',
  '/t/:tenant_id/oauth/undo',
  '/oauth/device_authorization',
  '/t/:tenant_id/oauth/device_authorization',
  '/oauth/device',
  '/t/:tenant_id/oauth/device',
  '/oauth/link',
  '/t/:tenant_id/oauth/link',
  '/t/:tenant_id/oauth/test-login',
  '/t/:tenant_id/oauth/test-login/result',
  '/console/tenant',
  '/t/:tenant_id/console/session',
  '/console/first-login',
  '/t/:tenant_id/console/login',
  '/t/:tenant_id/preview',
  '/account',
  '/t/:tenant_id/account',
  '/pictures/:digest',
  '/t/:tenant_id/pictures/:digest',
  '/brand/:digest',
  '/t/:tenant_id/brand/:digest',
];
/** POST routes that read or act, and create no record. */
const CREATE_NOTHING = [
  'signals.update_status',
  'signals.update_status_by_issuer',
  'signals.poll',
  'signals.poll_by_issuer',
  'me.delete',
  'userinfo.post',
  'userinfo.post_by_issuer',
  'oauth.challenge',
  'oauth.challenge_by_issuer',
  'oauth.revoke',
  'oauth.revoke_by_issuer',
  'oauth.introspect',
  'oauth.introspect_by_issuer',
  'identities.begin',
  'identities.finish',
  'account.submit',
  'account.submit_by_issuer',
  'branding.fetch_logos',
  'branding.preview',
  'clients.test_login',
  'tokens.preview',
  'providers.test',
  'providers.finish_test',
  'providers.verify_domain',
  'flows.oauth',
  'flows.finish_oauth',
  'providers.callback_form',
  'oauth.authorize_form',
  'oauth.authorize_form_by_issuer',
  'console.log_in_first',
  'oauth.open_invitation',
  'oauth.open_invitation_by_issuer',
  'oauth.undo_change',
  'oauth.undo_change_by_issuer',
  'oauth.device_authorization',
  'oauth.device_authorization_by_issuer',
  'oauth.enter_device',
  'oauth.enter_device_by_issuer',
  'oauth.submit',
  'oauth.submit_by_issuer',
  'oauth.logout_form',
  'oauth.logout_form_by_issuer',
  'oauth.logout_confirm',
  'oauth.logout_confirm_by_issuer',
  'factors.passkey_options',
  'apikeys.report',
  'users.disable',
  'users.recover',
  'users.unlock',
  'invitations.resend',
  'invitations.accept',
  'users.import',
  'factors.confirm_totp',
  'identifiers.send',
  'identifiers.verify',
  'identifiers.undo',
  'identifiers.undo_passkey_options',
  'messaging.preview',
  'messaging.feedback',
  'messaging.feedback_by_issuer',
  'access.evaluation',
  'access.evaluation_by_issuer',
  'access.evaluations',
  'access.evaluations_by_issuer',
  'access.explain',
  'webhooks.rotate',
  'webhooks.test',
  'webhooks.retry_delivery',
  'webhooks.replay',
];
const SECRET_NAME = /password|secret|token$/;
/** The name looks like a secret, but the value is public: a signed statement about the audit log. */
const PUBLIC_TOKENS = ['audit.list_checkpoints'];

type Node = Readonly<Record<string, unknown>>;

/** A schema and all schemas inside it, each with the name it has in its parent. */
function* schemasIn(schema: unknown, name = ''): Generator<readonly [name: string, schema: Node]> {
  if (typeof schema !== 'object' || schema === null) return;
  const node = schema as Node;
  if (!Array.isArray(schema)) yield [name, node];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'properties') {
      for (const [field, inner] of Object.entries(value as Node)) yield* schemasIn(inner, field);
    } else if (typeof value === 'object') {
      yield* schemasIn(value, name);
    }
  }
}

/** Whether a pattern matches only texts up to some length. */
function isBounded(pattern: string): boolean {
  const repetitions = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x');
  return /^\^.*\$$/.test(pattern) && !/[*+]|\{\d+,\}/.test(repetitions);
}

function fieldsOf(schema: TSchema | undefined): string[] {
  return Object.keys(schema && 'properties' in schema ? (schema.properties ?? {}) : {});
}

describe('the routes', () => {
  test('The routes include those of the specification that are implemented (SPEC endpoints 1)', () => {
    const there = ROUTES.map((route) => `${route.method} ${route.path}`);
    assert.deepEqual(
      SPECIFIED.filter((endpoint) => !there.includes(endpoint)),
      [],
    );
  });

  test('The routes have unique ids, and unique methods and paths', () => {
    for (const name of [
      (route: Route) => route.id,
      (route: Route) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':')}`,
    ]) {
      const names = ROUTES.map(name);
      assert.equal(new Set(names).size, names.length, String(names.toSorted()));
    }
  });
});

describe('the routes without authentication', () => {
  test('The routes without authentication read at most 16 KiB of a body', () => {
    const open = ROUTES.filter((route) => !needsToken(route));
    const ids = open.map((route) => route.id);
    assert.ok(['auth.login', 'auth.refresh', 'auth.token'].every((id) => ids.includes(id)));
    for (const route of open) assert.ok(bodyLimitOf(route) <= 16 * 1024, route.id);
  });
});

for (const route of ROUTES) {
  describe(`the route ${route.id}`, () => {
    test('A route that belongs to the API is under the versioned base path (SPEC endpoints 1, SPEC versioning 1)', () => {
      assert.equal(API_BASE, '/api/sso/v1');
      assert.ok(route.path.startsWith(`${API_BASE}/`) || OUTSIDE.includes(route.path));
      assert.match(route.id, /^[a-z_]+\.[a-z_]+$/);
      assert.match(route.path, /^(\/|(\/[a-z0-9:_.-]+)+)$/);
      assert.match(route.summary, /^[A-Z].*[^.]$/);
    });

    test('A route has a schema for exactly the parameters of its path', () => {
      const named = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      assert.deepEqual(fieldsOf(route.params), named);
    });

    test('A route takes a body if its method does, and rejects unknown fields, unless its standard requires ignoring them', () => {
      if (route.body ?? route.lines) assert.ok(['POST', 'PATCH', 'PUT'].includes(route.method));
      // RFC 6749 §3.2 and §4.1.2, OpenID AuthZEN §10.1.1: unknown members are ignored there.
      // Providers add fields to their reports.
      if (['accepted', 'text'].includes(route.form ?? '')) return;
      if (route.path.includes('/access/v1/') || route.path.includes('/callback/')) return;
      // RFC 7591 §2.
      if (/\/oauth\/(authorize|logout|register|register\/:client_id)$/.test(route.path)) return;
      // Caches and verifiers can add parameters to the URL of a key set.
      if (route.path.endsWith('/jwks.json')) return;
      // Shared Signals Framework §8.1.1: receivers can include the members they have read. RFC 8936 §2.2.
      if (route.path.includes('/oauth/ssf/')) return;
      for (const schema of [route.body, route.query].filter((part) => part !== undefined)) {
        for (const [name, node] of schemasIn(schema)) {
          // WebAuthn Level 3 §5.1: browsers add members to their responses.
          if (!('properties' in node) || ['credential', 'response'].includes(name)) continue;
          assert.equal(node['additionalProperties'], false, `${name || 'the whole'} is not closed`);
        }
        assert.equal(Compile(schema).Check({ unheard_of: 1 }), false);
      }
    });

    test('A route bounds every string and every list', () => {
      for (const schema of [route.body, route.query].filter((part) => part !== undefined)) {
        for (const [name, node] of schemasIn(schema)) {
          const types = [node['type']].flat();
          if (types.includes('array')) assert.ok('maxItems' in node, name);
          if (!types.includes('string') || 'const' in node || 'enum' in node) continue;
          assert.ok('maxLength' in node || isBounded(String(node['pattern'])), name);
        }
      }
    });

    test('A route marks every secret in it', () => {
      for (const schema of [route.body, route.query, route.ok.body].filter(
        (part) => part !== undefined,
      )) {
        for (const [name, node] of schemasIn(schema)) {
          if (node['type'] !== 'string' || !SECRET_NAME.test(name)) continue;
          if (name === 'token' && PUBLIC_TOKENS.includes(route.id)) continue;
          assert.equal(node[SECRET_MARK], true, name);
        }
      }
    });

    test('A route declares each of its errors once, and only existing ones', () => {
      assert.equal(new Set(route.errors).size, route.errors.length);
      for (const code of [...route.errors, ...impliedErrors(route)])
        assert.ok(code in ERRORS, code);
    });

    test('A route answers 201 if it creates a record, 303 if it redirects, 204 without a body, and 200 otherwise', () => {
      if (route.ok.kind === 'empty') return assert.equal(route.ok.status, 204);
      if (route.ok.kind === 'redirect') return assert.equal(route.ok.status, 303);
      const creates =
        route.method === 'POST' &&
        (route.id === 'flows.begin' || !route.path.startsWith(`${API_BASE}/auth/`)) &&
        !route.path.startsWith('/t/:tenant_id/auth/') &&
        !CREATE_NOTHING.includes(route.id);
      return assert.equal(route.ok.status, creates ? 201 : 200);
    });

    test('A route with a form for people is a page, belongs to a tenant, and displays or receives the form', () => {
      const isToBrowser = route.ok.kind === 'html' || route.ok.kind === 'redirect';
      assert.equal(isPage(route), isToBrowser);
      if (needsSameOrigin(route)) assert.notEqual(route.access, 'open');
      if (route.form !== 'page') return;
      assert.ok(isToBrowser && route.access !== 'open');
      assert.ok(route.method === 'GET' || route.body !== undefined);
    });

    test('A route accepts an Idempotency-Key if it is a POST, or says why not', () => {
      const isPost = route.method === 'POST';
      const isExcluded = route.id in UNREPEATABLE;
      assert.equal(isPost, route.idempotent !== undefined || isExcluded);
      assert.equal(route.idempotent !== undefined && isExcluded, false);
      assert.equal(
        impliedErrors(route).includes('IDEMPOTENCY_KEY_REUSED'),
        route.idempotent !== undefined,
      );
    });

    test('A route requires a scope of the form <action>:<resource>, if any (SPEC service 8)', () => {
      const scope = scopeOf(route);
      if (scope !== undefined) assert.ok(Compile(ScopeSchema).Check(scope), scope);
      const action = { GET: 'read', POST: 'write', PATCH: 'write', PUT: 'write', DELETE: 'delete' };
      // Some deletions change something else: the workspace, the user, or the settings of the tenant. Explanations
      // and previews change nothing.
      const others = {
        'workspaces.remove_member': 'write',
        'users.delete_factor': 'write',
        'users.delete_picture': 'write',
        'messaging.delete_template': 'write',
        'branding.delete_text': 'write',
        'branding.delete_logo': 'write',
        'clients.delete_image': 'write',
        'messaging.delete_suppression': 'write',
        'providers.delete': 'write',
        'providers.remove_domain': 'write',
        'clients.delete_secret': 'write',
        // The address is a secret that permits changes.
        'messaging.get_feedback_address': 'write',
        'branding.preview': 'read',
        'tokens.preview': 'read',
        'messaging.preview': 'read',
        'access.explain': 'read',
      };
      const expected = others[route.id as keyof typeof others] ?? action[route.method];
      if (scope !== undefined) assert.equal(scope.split(':')[0], expected);
    });
  });
}
