// Sessions are created only through `decide`, or by identity assertions that administrators of both sides have enabled:
// any other path fails here.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROUTES } from '@keywright/contract/routes';

const ROOT = new URL('../../', import.meta.url);

/** Source files of the service, by their paths from the root. */
function sourcesIn(folder: string, ending: string): { path: string; text: string }[] {
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending) && !path.endsWith('.test.ts'))
    .map((path) => `${folder}${path}`)
    .map((path) => ({ path, text: readFileSync(new URL(path, ROOT), 'utf8') }));
}

function filesWith(pattern: RegExp): string[] {
  return [
    ...sourcesIn('server/src/', '.ts'),
    ...sourcesIn('server/sql/', '.sql'),
    ...sourcesIn('server/migrations/', '.sql'),
  ]
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();
}

test('Logins, applications and identity assertions open sessions by one statement each, run by a single store', () => {
  assert.deepEqual(filesWith(/insert\s+into\s+sessions\b|insertInto\(\s*'sessions/i), [
    'server/sql/tokens/kw_finish_logins.sql',
    'server/sql/tokens/kw_open_client_sessions.sql',
    'server/src/modules/tokens/sessions/refresh-store.ts',
  ]);
  const store = ['server/src/modules/tokens/sessions/session-store.ts'];
  assert.deepEqual(filesWith(/kw_finish_logins\.ts/), store);
  const applications = ['server/src/modules/tokens/sessions/session-store.ts'];
  assert.deepEqual(filesWith(/kw_open_client_sessions\.ts/), applications);
  assert.deepEqual(filesWith(/\binsertAssertedSession\(/), [
    'server/src/modules/oauth/token-endpoint/identity-assertion-grant.ts',
    'server/src/modules/tokens/sessions/refresh-store.ts',
  ]);
});

test('A permit is created only in the rules that decide on it', () => {
  const rules = 'server/src/modules/authentication/proofs/proof-rules.ts';
  assert.deepEqual(filesWith(/\bas Permit\b/), [rules]);
});

test('No other route returns a refresh token: a new one must go through decide', () => {
  const answering = ROUTES.filter(({ ok }) => JSON.stringify(ok).includes('"refresh_token":'));
  assert.deepEqual(
    answering.map(({ id }) => id),
    [
      'auth.login',
      'flows.password',
      'flows.code',
      'flows.link',
      'flows.new_password',
      'flows.totp',
      'flows.passkey',
      'flows.finish_oauth',
      'flows.recovery_code',
      'flows.confirm_totp',
      'flows.enroll_passkey',
      // Opens no session: it returns the tokens of the last step again.
      'flows.tokens',
      'auth.refresh',
      // Sessions of applications, opened from an active browser session, which a login opened.
      'auth.token',
      'auth.token_by_issuer',
    ],
  );
  // The same class commits all steps of flows, and completes them with the first of these methods.
  assert.deepEqual(filesWith(/\bthis\.#sessions(\s*)\.(open|openFirst|stepUp)\(/), [
    'server/src/modules/authentication/flows/flow-completion.ts',
    'server/src/modules/authentication/login/login-service.ts',
    'server/src/modules/authentication/login/registration.ts',
  ]);
});
