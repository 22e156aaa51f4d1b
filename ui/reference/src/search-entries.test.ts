import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../browser/match.ts';
import { searchEntries } from './search-entries.ts';

/** The operations that developers look for with these words. */
const SOUGHT = {
  login: 'auth.login',
  'sign in': 'auth.login',
  'log in with a password': 'auth.login',
  'refresh token': 'auth.refresh',
  'revoke token': 'oauth.revoke',
  introspection: 'oauth.introspect',
  'verify token': 'auth.verify_token',
  'client credentials': 'auth.token',
  'token exchange': 'auth.token',
  'device code': 'oauth.device_authorization',
  'reset password': 'users.recover',
  'forgot password': 'users.recover',
  mfa: 'factors.list',
  '2fa': 'factors.list',
  otp: 'factors.add_totp',
  passkeys: 'factors.add_passkey',
  'magic link': 'flows.link',
  'change email': 'identifiers.send',
  'ban user': 'users.disable',
  'unblock user': 'users.unlock',
  'search users': 'users.list',
  'create user': 'users.create',
  'assign role': 'users.update',
  invite: 'invitations.create',
  'sign out': 'auth.logout',
  'kill session': 'sessions.delete',
  'api key': 'apikeys.create',
  'rotate key': 'keys.rotate',
  jwks: 'key_set.get',
  userinfo: 'userinfo.get',
  'check permission': 'access.evaluation',
  'dynamic client registration': 'oauth.register',
  organization: 'tenants.list',
  google: 'providers.create',
  cors: 'tenants.update',
  health: 'service.health',
} as const;

const entries = searchEntries();

for (const [query, id] of Object.entries(SOUGHT)) {
  test(`A search for "${query}" has ${id} among its first three results`, () => {
    const first = match(entries, query).slice(0, 3);
    const found = first.map(([url]) => url.split('#')[1]);
    assert.ok(found.includes(id), found.join(', '));
  });
}

test('A search without a word, or for a word that occurs nowhere, finds nothing', () => {
  for (const query of ['', ' ', 'the', 'xyzzy', 'constructor'])
    assert.deepEqual(match(entries, query), []);
});
