// What an `auth_session` allows, to its application and to others.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { newDpopKey } from '@keywright/tests/harness/dpop';
import { expectStatus } from '@keywright/tests/harness/http';
import {
  type ChallengeAnswer,
  InApp,
  newInAppClient,
  nextOf,
} from '@keywright/tests/harness/in-app';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';

const INVALID = '400 invalid_session AUTH_SESSION_INVALID';

let keywright: Keywright;
let tenant: TestTenant;
let user: TestUser;
let client: CreatedOAuthClient;
let other: CreatedOAuthClient;

before(async () => {
  keywright = await startKeywright({ clock: 'fake' });
  const config = { oauth_registration: 'open' } as const;
  tenant = await keywright.tenant('auth-sessions', { config });
  user = await tenant.createUser();
  client = await newInAppClient(tenant);
  other = await newInAppClient(tenant);
});
after(() => keywright.close());

const app = (by = client, of = tenant) => new InApp(of, by);
const newKey = () => newDpopKey(() => keywright.clock.now());
const outcomeOf = ({ status, body }: ChallengeAnswer) => `${status} ${body.error} ${body.code}`;

async function startedLogin(login = app()): Promise<InApp> {
  assert.match(nextOf(await login.start({ login_hint: user.identifier })), /password/);
  return login;
}

describe('an auth_session', () => {
  /** The response to a request that continues with the correct password. */
  const answerTo = async (who: InApp, session: string) => {
    who.session = session;
    const { status, body, text } = await who.go({ password: user.password });
    return { outcome: `${status} ${body.error}`, text };
  };

  test('An auth_session of another client, tenant or key, altered or invented, is unknown', async () => {
    const elsewhere = await keywright.tenant('in-app-elsewhere');
    const there = await newInAppClient(elsewhere);
    const key = await newKey();
    const bound = await startedLogin(new InApp(tenant, client, { key }));
    const plain = await startedLogin();
    const altered = `${plain.session.slice(0, -2)}${plain.session.endsWith('AA') ? 'BB' : 'AA'}`;
    const answers = [
      await answerTo(app(), randomBytes(300).toString('base64url')),
      await answerTo(app(), 'x'),
      await answerTo(app(), altered),
      await answerTo(app(other), plain.session),
      await answerTo(app(there, elsewhere), plain.session),
      await answerTo(new InApp(tenant, client, { key }), plain.session),
      await answerTo(app(), bound.session),
      await answerTo(new InApp(tenant, client, { key: await newKey() }), bound.session),
    ];
    assert.deepEqual(
      [...new Set(answers.map((answer) => answer.outcome))],
      ['400 invalid_session'],
    );
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
    for (const login of [plain, bound])
      expectStatus(200, await login.go({ password: user.password }));
  });

  test('An auth_session leads to one code, and to nothing after it, whichever one of the login it is', async () => {
    const login = await startedLogin();
    const first = login.session;
    await login.go({ password: 'wrong' });
    const second = login.session;
    assert.notEqual(first, second);
    expectStatus(200, await login.go({ password: user.password }));
    for (const session of [first, second]) {
      for (const step of [{ password: user.password }, {}, { passkey_options: 'true' }]) {
        assert.equal(outcomeOf(await login.send({ auth_session: session, ...step })), INVALID);
      }
    }
  });

  test('An auth_session ends with its flow, after a quarter of an hour', async () => {
    const login = await startedLogin();
    keywright.clock.advance(15 * 60);
    assert.equal(outcomeOf(await login.go({ password: user.password })), INVALID);
  });

  test('An auth_session reveals nothing to its reader', async () => {
    const { session } = await startedLogin();
    const bytes = Buffer.from(session, 'base64url').toString('latin1');
    assert.ok(!bytes.includes(user.identifier) && !bytes.includes('openid'));
  });

  test('An auth_session continues with the request that it was started for, whatever comes with it', async () => {
    const login = app();
    await login.start({ login_hint: user.identifier, scope: 'openid email' });
    const more = { scope: 'openid profile', code_challenge: 'A'.repeat(43), nonce: 'n' };
    const tokens = await login.tokensFor(await login.go({ password: user.password, ...more }));
    assert.equal(tokens.scope, 'openid email');
  });
});
