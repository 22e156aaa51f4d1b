// Malformed tokens that target the parser, at every place that reads third-party tokens.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { CLIENT_ASSERTION_TYPE } from '@keywright/contract/routes/client-authentication';
import { GRANT_TYPE, TOKEN_TYPE } from '@keywright/contract/routes/token';
import {
  newClient,
  proofOf,
  redeem,
  refreshWith,
  requestOf,
  UserBrowser,
} from '../harness/code-login.ts';
import type { Answer } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { postToken } from '../harness/token-endpoint.ts';
import type { Seen } from '../harness/visitor.ts';

const SCOPE = { scope: 'openid offline_access' };

let keywright: Keywright;
let scene: {
  readonly tenant: TestTenant;
  readonly client: CreatedOAuthClient;
  readonly browser: UserBrowser;
};

before(async () => {
  keywright = await startKeywright();
  const tenant = await keywright.tenant('bombed');
  const browser = new UserBrowser(tenant, issuerOf(tenant), await tenant.createUser());
  scene = { tenant, client: await newClient(tenant), browser };
});
after(() => keywright.close());

const issuerOf = ({ id }: TestTenant) => `${keywright.nodes[0]?.baseUrl}/t/${id}`;

describe('a token that is made to break its reader', () => {
  const part = (value: object | string) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const jwt = (
    header: object | string,
    claims: object | string,
    signature = part('x'.repeat(64)),
  ) => `${part(header)}.${part(claims)}.${signature}`;
  const HEADER = { alg: 'EdDSA', typ: 'at+jwt', kid: 'key_x' };

  const BOMBS: Readonly<Record<string, string>> = {
    'of 64 KiB': jwt(HEADER, { sub: 'x'.repeat(48 * 1024) }),
    'of 8 KiB': jwt(HEADER, { sub: 'x'.repeat(5900) }).slice(0, 8192),
    'with deep lists': jwt(HEADER, `{"a":${'['.repeat(2500)}${']'.repeat(2500)}}`),
    'with a deep header': jwt(`{"alg":"EdDSA","x":${'{"a":'.repeat(700)}1${'}'.repeat(700)}}`, {}),
    'with __proto__': jwt(
      HEADER,
      '{"__proto__":{"iss":"x","sub":"x"},"constructor":{"prototype":1}}',
    ),
    'with crit': jwt({ ...HEADER, crit: ['exp'], exp: 1 }, {}),
    'with b64': jwt({ ...HEADER, b64: false, crit: ['b64'] }, {}),
    'with alg none': `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: 'x' })}.`,
    'with a MAC': jwt({ ...HEADER, alg: 'HS256' }, { sub: 'x' }),
    'with numbers for texts': jwt(
      { alg: 1, typ: 2, kid: 3 },
      { iss: 1, sub: [], aud: {}, exp: 'x' },
    ),
    'of dots': '.'.repeat(8000),
    'of padding': `${part(HEADER)}=.${part({})}==.${part('x')}=`,
    'with NUL': jwt(HEADER, { sub: 'x\0', iss: '\0' }),
  };

  /** Each place that reads a third-party token, and its response to an invalid one. */
  const PLACES: Readonly<Record<string, (token: string) => Promise<Answer<unknown> | Seen>>> = {
    introspected: (token) =>
      scene.tenant.request('POST', '/oauth/introspect', {
        body: { token, ...proofOf(scene.client) },
      }),
    revoked: (token) =>
      scene.tenant.request('POST', '/oauth/revoke', { body: { token, ...proofOf(scene.client) } }),
    'a refresh token': (token) => refreshWith(scene.tenant, scene.client, token),
    'a code': (token) => redeem(scene.tenant, scene.client, token.slice(0, 4096)),
    'an assertion': (token) =>
      postToken(scene.tenant, {
        grant_type: 'refresh_token',
        refresh_token: 'x',
        client_assertion_type: CLIENT_ASSERTION_TYPE,
        client_assertion: token,
      }),
    'an assertion of an agent': (token) =>
      postToken(scene.tenant, { grant_type: GRANT_TYPE.jwtBearer, assertion: token }),
    exchanged: (token) =>
      postToken(scene.tenant, {
        grant_type: GRANT_TYPE.tokenExchange,
        subject_token: token,
        subject_token_type: TOKEN_TYPE.jwt,
      }),
    'a hint of a login': (token) =>
      scene.browser.authorize(requestOf(scene.client, { id_token_hint: token, prompt: 'none' })),
    'a hint of a logout': (token) => {
      const query = new URLSearchParams({ id_token_hint: token }).toString();
      return scene.browser.open(
        `${new URL(issuerOf(scene.tenant)).pathname}/oauth/logout?${query}`,
      );
    },
    'a bearer token': (token) =>
      scene.tenant.request('GET', '/oauth/userinfo', {
        headers: { authorization: `Bearer ${token}` },
      }),
  };

  for (const [what, token] of Object.entries(BOMBS)) {
    for (const [place, present] of Object.entries(PLACES)) {
      test(`${what}, as ${place}, is no token, and is answered`, async () => {
        const isTooLong = token.length > 15_000 && /hint|bearer/.test(place);
        if (isTooLong) {
          // The head of the request is too long for HTTP.
          const answer = await present(token).catch(() => ({ status: 431, text: '' }));
          assert.ok([400, 414, 431].includes(answer.status), String(answer.status));
          return;
        }
        const { status, text } = await present(token);
        assert.ok(status < 500, `${status} ${text}`);
        const isNone = status >= 400 || ['{"active":false}', '{}'].includes(text);
        const isLeft = place.startsWith('a hint');
        assert.ok(isNone || isLeft, `${status} ${text}`);
        assert.ok(!text.includes(token.slice(0, 200)) || isLeft, 'it is not repeated');
      });
    }
  }

  test('A signed token in another spelling of base64url is not accepted', async () => {
    const tokens = await scene.browser.tokensFor(scene.client, SCOPE);
    for (const genuine of [tokens.access_token, tokens.refresh_token ?? '']) {
      const body = (token: string) => ({ body: { token, ...proofOf(scene.client) } });
      const introspect = async (token: string) =>
        (await scene.tenant.request('POST', '/oauth/introspect', body(token))).text;
      assert.ok((await introspect(genuine)).includes('"active":true'));
      const [head, payload, signature = ''] = genuine.split('.');
      for (const other of [
        `${genuine}=`,
        `${head}=.${payload}.${signature}`,
        `${head}.${payload}.${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`,
        `${genuine}.x`,
        ` ${genuine}`,
      ]) {
        assert.equal(await introspect(other), '{"active":false}', other.slice(-20));
      }
    }
  });
});
