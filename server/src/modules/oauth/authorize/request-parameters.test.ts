import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OAuthClientId, OAuthResourceId } from '@keywright/contract/ids';
import { TENANT_RESOURCE } from '../resources/resource-directory.ts';
import { TenantResources, type Resource } from '../resources/resource-rules.ts';
import type { AuthorizationRequest, RequestingClient, Verdict } from './authorization-request.ts';
import { clientIdOf, checkRequest } from './request-parameters.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const CALLBACK = 'https://app.example.com/callback';
const ISSUER = 'https://id.example.com/t/org_acme';

const WEB: RequestingClient = {
  id: 'client_01m81ehc7wfj4r8d2n6y0s5t3b' as OAuthClientId,
  kind: 'web',
  first_party: false,
  redirect_uris: [CALLBACK, 'https://app.example.com/other?x=1'],
  grant_types: ['authorization_code', 'refresh_token'],
  scopes: ['openid', 'profile', 'email', 'offline_access', 'read:*'],
  token_endpoint_auth_method: 'client_secret_basic',
  is_active: true,
  default_max_age: null,
  require_pkce: null,
  id_token_signed_response_alg: 'ES256',
  authorization_details_types: [],
};
const SPA: RequestingClient = {
  ...WEB,
  kind: 'spa',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code'],
};
const NATIVE: RequestingClient = {
  ...SPA,
  kind: 'native',
  redirect_uris: ['http://127.0.0.1/cb', 'com.example.app:/cb'],
};

const FILES: Resource = {
  id: 'res_01m81ef6k2fq7v3w9x5z1c8n4b' as OAuthResourceId,
  uri: 'https://files.example.com/mcp',
  name: 'Files',
  scopes: [
    { name: 'files:share', description: 'Share files' },
    { name: 'read:files', description: 'Read files' },
  ],
  tokenTtlSeconds: undefined,
  algorithm: 'EdDSA',
  typ: 'at+jwt',
  isDpopRequired: false,
  detailsTypes: [],
  servedBy: [],
};

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

const GOOD: Parameters = {
  client_id: WEB.id,
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid email',
  state: 'xyz',
  nonce: 'n-0S6',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

interface Setting {
  readonly client?: RequestingClient | undefined;
  readonly mustBePushed?: boolean;
}

function judge(change: Parameters, setting: Setting = {}): Verdict {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...GOOD, ...change })) {
    for (const item of [value ?? []].flat()) parameters.append(name, item);
  }
  const { mustBePushed = false } = setting;
  const client = 'client' in setting ? setting.client : WEB;
  const tenant = { issuer: ISSUER, audience: 'https://api.example.com/own' };
  const resources = new TenantResources([FILES]);
  const policy = { mustUsePkce: false, tenant, resources, mustBePushed };
  return checkRequest(client, policy, parameters);
}

function accepted(change: Parameters, setting?: Setting): AuthorizationRequest {
  const verdict = judge(change, setting);
  assert.equal(verdict.kind, 'valid', JSON.stringify(verdict));
  assert.ok(verdict.kind === 'valid');
  return verdict.request;
}

/** Requests whose errors are shown to the user and not reported to any client. */
const PAGES: readonly (readonly [string, string, Parameters, Setting?])[] = [
  ['an unknown client', 'client_unknown', {}, { client: undefined }],
  ['an inactive client', 'client_unknown', {}, { client: { ...WEB, is_active: false } }],
  ['no address to return to', 'redirect_uri_unknown', { redirect_uri: undefined }],
  ['an empty one', 'redirect_uri_unknown', { redirect_uri: '' }],
  ...[
    'https://app.example.com/callback/',
    'https://app.example.com/Callback',
    'https://APP.example.com/callback',
    'https://app.example.com/callback?x=1',
    'https://app.example.com/callback#x',
    'https://app.example.com/callback%2e',
    'https://app.example.com:443/callback',
    'https://app.example.com/./callback',
    'https://app.example.com/x/../callback',
    'https://app.example.com\\@evil.example/callback',
    'https://app.example.com@evil.example/callback',
    'https://evil.example/callback',
    'http://app.example.com/callback',
    '//app.example.com/callback',
    '\thttps://app.example.com/callback',
    'https://app.example.com/callback ',
    'javascript:alert(1)',
  ].map(
    (uri) =>
      [
        `the address ${JSON.stringify(uri)}`,
        'redirect_uri_unknown',
        { redirect_uri: uri },
      ] as const,
  ),
  ...[
    'http://127.0.0.1.evil.example/cb',
    'http://localhost:80@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'http://127.0.0.1:80/other',
    'http://127.1:80/cb',
    'http://localhost:80/cb',
    'https://127.0.0.1:80/cb',
    'example:/cb',
  ].map(
    (uri) =>
      [
        `the loopback address ${uri}`,
        'redirect_uri_unknown',
        { redirect_uri: uri },
        { client: NATIVE },
      ] as const,
  ),
  ['a port for a client on a server', 'redirect_uri_unknown', { redirect_uri: `${CALLBACK}:80` }],
  ...[...Object.keys(GOOD), 'max_age', 'prompt', 'login_hint', 'whatever']
    .filter((name) => name !== 'client_id')
    .map(
      (name) =>
        [
          `two values of ${name}`,
          'parameter_repeated',
          { [name]: [String(GOOD[name] ?? '1'), '2'] },
        ] as const,
    ),
  ['two states and a resource', 'parameter_repeated', { state: ['a', 'b'], resource: 'r' }],
];

/** Reported to the client. */
const REJECTED: readonly (readonly [string, string, Parameters, Setting?])[] = [
  ['no response type', 'invalid_request', { response_type: undefined }],
  ['an empty one', 'invalid_request', { response_type: '' }],
  ...['token', 'id_token', 'code id_token', 'code token', 'none', 'CODE'].map(
    (type) =>
      [`the response type ${type}`, 'unsupported_response_type', { response_type: type }] as const,
  ),
  ...['fragment', 'web_message', 'fragment.jwt', 'Query'].map(
    (mode) => [`the response mode ${mode}`, 'invalid_request', { response_mode: mode }] as const,
  ),
  ['a request object', 'request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
  ['an address of one', 'request_uri_not_supported', { request_uri: 'https://a.example.com/' }],
  ['a registration', 'registration_not_supported', { registration: '{}' }],
  ['scopes that the client cannot request', 'invalid_scope', { scope: 'phone write:users' }],
  ...['open"id', 'a\\b', 'é', 'a\u0000', 'x'.repeat(129)].map(
    (scope) =>
      [`the scope ${JSON.stringify(scope).slice(0, 20)}`, 'invalid_scope', { scope }] as const,
  ),
  [
    'too many scopes',
    'invalid_scope',
    { scope: Array.from({ length: 65 }, (_, n) => `s${n}`).join(' ') },
  ],
  ['prompt=none with another', 'invalid_request', { prompt: 'none login' }],
  ['an unknown prompt', 'invalid_request', { prompt: 'login please' }],
  ...['-1', '1.5', '1e3', 'x', '99999999999', ' 1', '+1'].map(
    (age) => [`the maximum age ${age}`, 'invalid_request', { max_age: age }] as const,
  ),
  ...['{', '[]', '"x"', 'null', '{"id_token":1}', '{"userinfo":[]}'].map(
    (claims) => [`the claims ${claims}`, 'invalid_request', { claims }] as const,
  ),
  ['claims that are too long', 'invalid_request', { claims: `{"x":"${'x'.repeat(4096)}"}` }],
  [
    'too many claims',
    'invalid_request',
    {
      claims: JSON.stringify({
        id_token: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`c${n}`, null])),
      }),
    },
  ],
  [
    'essential values of acr of which none is supported',
    'unmet_authentication_requirements',
    { claims: '{"id_token":{"acr":{"essential":true,"values":["urn:x"]}}}' },
  ],
  ['a resource outside the tenant', 'invalid_target', { resource: 'https://api.example.com/' }],
  ['one among others', 'invalid_target', { resource: [ISSUER, 'https://api.example.com/'] }],
  ['a nonce that is too long', 'invalid_request', { nonce: 'n'.repeat(513) }],
  ['a nonce with a line break', 'invalid_request', { nonce: 'a\r\nb' }],
  ['a hint that is too long', 'invalid_request', { login_hint: 'x'.repeat(321) }],
  ['an ID token that is too long', 'invalid_request', { id_token_hint: 'x'.repeat(8193) }],
  ['too many languages', 'invalid_request', { ui_locales: 'de '.repeat(100) }],
];

describe('a request that is shown to the user as wrong, and not reported to any client', () => {
  for (const [what, reason, change, setting] of PAGES) {
    test(`A request with ${what} is not reported to a client`, () =>
      assert.deepEqual(judge(change, setting), { kind: 'untrusted', reason }));
  }
});

describe('a request that is rejected to its client', () => {
  for (const [what, error, change, setting] of REJECTED) {
    test(`A request with ${what} is rejected`, () => {
      const verdict = judge(change, setting);
      assert.ok(verdict.kind === 'rejected', JSON.stringify(verdict));
      assert.equal(verdict.rejection.error, error);
      assert.deepEqual(verdict.target, {
        redirectUri: CALLBACK,
        responseMode: 'query',
        state: 'xyz',
      });
      for (const value of Object.values(change).flat()) {
        // RFC 6749 §5.2: the error does not echo the request.
        if (value && value.length > 8) assert.ok(!verdict.rejection.description.includes(value));
      }
    });
  }

  test('A state that cannot be returned is an error, and the response omits it', () => {
    for (const state of ['x'.repeat(2049), 'a\u0000', 'ü']) {
      const verdict = judge({ state });
      assert.ok(verdict.kind === 'rejected');
      assert.deepEqual(
        [verdict.rejection.error, verdict.target.state],
        ['invalid_request', undefined],
      );
    }
  });

  test('An error is reported in the requested response mode', () => {
    const signedFor = { clientId: WEB.id, algorithm: 'ES256' };
    for (const [requested, mode, signed] of [
      ['form_post', 'form_post', undefined],
      ['query', 'query', undefined],
      ['jwt', 'query', signedFor],
      ['query.jwt', 'query', signedFor],
      ['form_post.jwt', 'form_post', signedFor],
    ] as const) {
      const verdict = judge({ response_mode: requested, prompt: 'x' });
      assert.ok(verdict.kind === 'rejected');
      assert.deepEqual(
        [verdict.target.responseMode, verdict.target.signedFor],
        [mode, signed],
        requested,
      );
    }
  });
});

describe('a request that is accepted', () => {
  test('A request has all its parameters', () => {
    assert.deepEqual(
      accepted({
        response_mode: 'form_post',
        prompt: 'login consent',
        max_age: '0',
        acr_values: '2 urn:unknown phr',
        claims: '{"id_token":{"email":{"essential":true},"unknown":null},"userinfo":{"name":null}}',
        login_hint: 'alice@example.com',
        id_token_hint: 'e30.e30.e30',
        ui_locales: 'de-CH en <x>',
        display: 'popup',
        resource: ISSUER,
        unknown: '1',
      }),
      {
        clientId: WEB.id,
        redirectUri: CALLBACK,
        responseMode: 'form_post',
        state: 'xyz',
        targets: [],
        scopes: ['openid', 'email'],
        nonce: 'n-0S6',
        challenge: CHALLENGE,
        prompts: ['login', 'consent'],
        maxAge: 0,
        acrValues: ['aal2', 'phr'],
        claims: {
          idToken: { email: { essential: true } },
          userinfo: { name: { essential: false } },
        },
        loginHint: 'alice@example.com',
        idTokenHint: 'e30.e30.e30',
        uiLocales: ['de-CH', 'en'],
      } satisfies AuthorizationRequest,
    );
  });

  test('A request can omit the state and the nonce', () => {
    const { state, nonce } = accepted({ state: undefined, nonce: '' });
    assert.deepEqual([state, nonce], [undefined, undefined]);
  });

  test('A request without a scope is for all that the client can request', () => {
    assert.deepEqual(accepted({ scope: undefined }).scopes, WEB.scopes);
    const offline = accepted({ scope: '' }, { client: SPA }).scopes;
    assert.ok(!offline.includes('offline_access'));
  });

  test('A request is for the part of its scopes that the client can request', () => {
    const { scopes } = accepted({ scope: 'openid phone openid read:users write:users *:roles' });
    assert.deepEqual(scopes, ['openid', 'read:roles', 'read:users']);
  });

  test('A request is for offline access only if the client gets refresh tokens', () => {
    const scope = 'openid offline_access';
    assert.deepEqual(accepted({ scope }).scopes, ['openid', 'offline_access']);
    assert.deepEqual(accepted({ scope }, { client: SPA }).scopes, ['openid']);
  });

  test('An essential value of acr takes precedence over voluntary ones', () => {
    const claims = '{"id_token":{"acr":{"essential":true,"values":["constructor","phr"]}}}';
    assert.deepEqual(accepted({ claims, acr_values: '1' }).acrValues, ['phr']);
  });

  for (const uri of ['http://127.0.0.1:51234/cb', 'http://127.0.0.1/cb', 'com.example.app:/cb']) {
    test(`A native client can use ${uri}`, () => {
      assert.equal(accepted({ redirect_uri: uri }, { client: NATIVE }).redirectUri, uri);
    });
  }
});

test('A request names one client', () => {
  assert.equal(clientIdOf(new URLSearchParams('client_id=a')), 'a');
  assert.equal(clientIdOf(new URLSearchParams('client_id=a&client_id=b')), undefined);
  assert.equal(clientIdOf(new URLSearchParams('')), undefined);
});

describe('the parameters of a request for a resource', () => {
  const may = { client: { ...WEB, scopes: [...WEB.scopes, 'files:share'] } };

  test('A request for a resource has the scopes that the resource has, and those of OpenID Connect', () => {
    const scope = 'openid email files:share read:files read:users';
    const acceptedFor = (resource: string | string[]) => accepted({ resource, scope }, may);
    const { scopes, targets } = acceptedFor(FILES.uri);
    assert.deepEqual(scopes, ['openid', 'email', 'files:share', 'read:files']);
    assert.deepEqual(targets, [FILES.id]);
    const both = acceptedFor([FILES.uri, ISSUER, FILES.uri]);
    assert.deepEqual(both.targets, [FILES.id, TENANT_RESOURCE]);
    assert.deepEqual(new Set(both.scopes), new Set(scope.split(' ')));
  });

  test('A request without the resource has none of its scopes, and only the permissions of the tenant', () => {
    const scope = 'openid files:share read:users';
    for (const resource of [undefined, ISSUER, 'https://api.example.com/own']) {
      const { scopes, targets } = accepted({ scope, resource }, may);
      assert.deepEqual([scopes, targets], [['openid', 'read:users'], []]);
    }
  });

  test('A request for a resource without a scope is for all scopes of the resource that the client can request', () => {
    const { scopes } = accepted({ resource: FILES.uri, scope: undefined }, may);
    assert.deepEqual(scopes.slice(-2), ['files:share', 'read:files']);
  });

  test('A request must name the resource exactly', () => {
    const others = [
      `${FILES.uri}/`,
      FILES.uri.toUpperCase(),
      `${FILES.uri}#x`,
      FILES.id,
      TENANT_RESOURCE,
    ];
    for (const resource of others) {
      const verdict = judge({ resource }, may);
      assert.equal(verdict.kind === 'rejected' && verdict.rejection.error, 'invalid_target');
    }
  });
});
