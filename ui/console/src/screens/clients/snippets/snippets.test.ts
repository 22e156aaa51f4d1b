import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { transformSync } from 'esbuild';
import { snippetsOf } from './snippets.ts';
import { type Client, DEVICE_GRANT } from './values.ts';

const ISSUER = 'https://id.example.com/t/org_acme';
const web: Client = {
  id: 'client_01m81f1h9m6x3r8t2z5w7y0kqd',
  kind: 'web',
  redirect_uris: ['https://app.example.com/callback'],
  scopes: ['openid', 'email'],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
};
const textOf = (client: Client, id: string) =>
  snippetsOf(client, ISSUER).find((snippet) => snippet.id === id)?.text ?? '';

describe('the snippets of a client', () => {
  it('The snippets of a client start with those that fit its kind', () => {
    const first = (client: Client) =>
      snippetsOf(client, ISSUER).flatMap(({ id, isFitting }) => (isFitting ? [id] : []));
    assert.deepEqual(first(web), ['express', 'nextjs', 'spring', 'openid']);
    assert.deepEqual(first({ ...web, kind: 'spa' }), ['spa']);
    assert.deepEqual(first({ ...web, kind: 'native' }), ['native']);
    assert.deepEqual(first({ ...web, kind: 'native', grant_types: [DEVICE_GRANT] }), ['device']);
    assert.deepEqual(first({ ...web, grant_types: ['client_credentials'] }), []);
    const all = snippetsOf({ ...web, kind: 'spa' }, ISSUER).map(({ id }) => id);
    assert.equal(new Set(all).size, 7);
  });

  it('The snippets of a client have the issuer, the client and its scopes, and a secret only from the environment', () => {
    for (const { id, text } of snippetsOf(web, ISSUER)) {
      assert.ok(text.includes(ISSUER), id);
      assert.ok(text.includes(web.id), id);
      assert.match(text, /openid[ ,]email/, id);
      assert.doesNotMatch(text, /kwc_|undefined\}/, id);
    }
    assert.match(textOf(web, 'express'), /ClientSecretBasic\(process\.env\.CLIENT_SECRET\)/);
    assert.match(textOf(web, 'spring'), /client-secret: \$\{CLIENT_SECRET\}/);
  });

  it('The snippets of a client return to the registered address, and name one that is not registered yet', () => {
    assert.match(textOf(web, 'express'), /app\.get\('\/callback'/);
    const needed = Object.fromEntries(
      snippetsOf(web, ISSUER).map(({ id, unregistered }) => [id, unregistered]),
    );
    assert.deepEqual(needed, {
      express: undefined,
      nextjs: 'https://app.example.com/api/auth/callback/keywright',
      spring: 'https://app.example.com/login/oauth2/code/keywright',
      openid: undefined,
      spa: undefined,
      native: undefined,
      device: undefined,
    });
    const spring = 'https://app.example.com/login/oauth2/code/keywright';
    const both = { ...web, redirect_uris: [...web.redirect_uris, spring] };
    const found = snippetsOf(both, ISSUER).find(({ id }) => id === 'spring');
    assert.equal(found?.unregistered, undefined);
  });

  it('The snippets of a client authenticate as the client does', () => {
    const withMethod = (method: Client['token_endpoint_auth_method']) => ({
      ...web,
      token_endpoint_auth_method: method,
    });
    assert.match(textOf(withMethod('none'), 'openid'), /oidc\.None\(\)/);
    assert.match(textOf(withMethod('client_secret_post'), 'openid'), /ClientSecretPost\(process/);
    assert.match(textOf(withMethod('private_key_jwt'), 'express'), /PrivateKeyJwt/);
    assert.match(textOf(withMethod('client_secret_post'), 'nextjs'), /'client_secret_post'/);
    assert.doesNotMatch(textOf(withMethod('none'), 'spring'), /client-secret/);
    assert.match(textOf(withMethod('none'), 'spring'), /authentication-method: none/);
  });

  it('The native snippet listens at the loopback address on any port, or lets the system hand the address over', () => {
    const native = { ...web, kind: 'native', token_endpoint_auth_method: 'none' } as const;
    const loopback = { ...native, redirect_uris: ['http://[::1]:1/cb?a=b'] };
    assert.match(textOf(loopback, 'native'), /listen\(0, '::1'\)/);
    assert.match(
      textOf(loopback, 'native'),
      /\[::1\]:\$\{server\.address\(\)\.port\}` \+ '\/cb\?a=b'/,
    );
    const app = { ...native, redirect_uris: ['com.example.app:/callback'] };
    assert.match(textOf(app, 'native'), /'com\.example\.app:\/callback'/);
    assert.doesNotMatch(textOf(app, 'native'), /createServer/);
  });

  it('The snippets of a client remain code, whatever an address contains', () => {
    const odd = { ...web, redirect_uris: [`https://app.example.com/'+alert(1)+'`] };
    assert.ok(
      textOf(odd, 'express').includes(String.raw`'https://app.example.com/\'+alert(1)+\''`),
    );
  });

  it('The snippets of a client are code without syntax errors', () => {
    for (const redirect of ['http://127.0.0.1/cb', 'com.example.app:/cb']) {
      for (const method of ['client_secret_basic', 'none', 'private_key_jwt'] as const) {
        const client = { ...web, redirect_uris: [redirect], token_endpoint_auth_method: method };
        for (const { id, text } of snippetsOf(client, 'http://localhost:8080')) {
          if (id !== 'spring') transformSync(text, { loader: 'js', format: 'esm' });
        }
      }
    }
  });
});
