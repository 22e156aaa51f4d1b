// Sessions are created only through `decide`, and for identity assertions, which administrators of both sides have decided
// on: any other way fails here.

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

test('logins, applications and identity assertions open sessions by one statement each, run by a single store', () => {
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

test('no other route returns a refresh token: a new one has to go through decide', () => {
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
      'flows.enrol_passkey',
      // Opens none: it repeats the tokens of the last step.
      'flows.tokens',
      'auth.refresh',
      // Of applications: from the living session of a browser, which a login has led to.
      'auth.token',
      'auth.token_by_issuer',
    ],
  );
  // All steps of flows are committed by the same class, which completes them with the first of these.
  assert.deepEqual(filesWith(/\bthis\.#sessions(\s*)\.(open|openFirst|stepUp)\(/), [
    'server/src/modules/authentication/flows/flow-completion.ts',
    'server/src/modules/authentication/login/login-service.ts',
    'server/src/modules/authentication/login/registration.ts',
  ]);
});
