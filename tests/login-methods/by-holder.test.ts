// Everything that an attacker can try with one credential of a user. No attempt opens a session or extends the
// attacker's access to the account.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { mailedTo, mailThrough, undoTokenTo } from '../harness/mailed.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { addPasskey } from '../harness/passkey.ts';
import { enrollTotp } from '../harness/totp.ts';
import { addAddress, recordPasskey, undoOptions } from '../harness/undo.ts';

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  const env = { ...mailThrough(sink), KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32' };
  keywright = await startKeywright({ clock: 'fake', env });
  const config = {
    magic_link_url: 'https://app.example.com/login',
    magic_link_registration: false,
  };
  tenant = await keywright.tenant('holders', { config });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;

function send<Body = JsonBody>(method: string, path: string, body?: object, token?: string) {
  const headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1) % 250}` };
  return tenant.request<Body>(method, path, {
    headers,
    ...(body && { body }),
    ...(token !== undefined && { token }),
  });
}

const email = (identifier: string) => ({ type: 'email', identifier, verified: true });

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  const options = {
    token: await tenant.adminToken(),
    body: { identifiers: [email(user.identifier)] },
  };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, options));
  return user;
}

/** The user replaces the address that they log in with. */
async function move(user: TestUser): Promise<string> {
  const identifier = newIdentifier();
  expectStatus(200, await send('POST', '/me/identifiers', { identifier }, user.token));
  const { code } = await mailedTo(sink, identifier);
  const proven = { identifier, code };
  expectStatus(200, await send('POST', '/me/identifiers/verification', proven, user.token));
  const path = `/me/identifiers/${user.identifier}`;
  expectStatus(200, await send('DELETE', path, undefined, user.token));
  return identifier;
}

/** Starts a flow, and collects the responses of its steps to this body. */
async function flow(flowBody: object, steps: Readonly<Record<string, object>>) {
  const started = await send<StartedFlow & JsonBody>('POST', '/auth/flows', flowBody);
  const { flow: made, flow_token } = started.body;
  const answers: Answer<JsonBody>[] = [started];
  for (const [step, body] of Object.entries(steps)) {
    answers.push(await send('POST', `/auth/flows/${made.id}/${step}`, { flow_token, ...body }));
  }
  return answers;
}

/** The credential of an attacker, and its user. */
interface StolenCredential {
  readonly user: TestUser;
  /** The user's current identifier. */
  readonly identifier: string;
  readonly password: string;
  readonly tries: Readonly<Record<string, () => Promise<readonly Answer<JsonBody>[]>>>;
}

const asList = async (answer: Promise<Answer<JsonBody>>) => [await answer];
const guess = () => ({ password: newPassword() });

const HOLDERS: Readonly<Record<string, () => Promise<StolenCredential>>> = {
  'the mailbox that a user gave up': async () => {
    const user = await verified();
    const old = user.identifier;
    const identifier = await move(user);
    const [first, second] = [await undoTokenTo(sink, old), await undoTokenTo(sink, old, 1)];
    const undo = (undo_token: string, more: object = {}) =>
      asList(send('POST', '/auth/identifiers/undo', { undo_token, ...more }));
    return {
      user,
      identifier,
      password: user.password,
      tries: {
        'undo of the addition': () => undo(first),
        'undo of the removal': () => undo(second),
        'undo with a guess': () => undo(second, guess()),
        'undo with a code': () => undo(second, { code: '000000' }),
        'a login by mail': () =>
          flow({ identifier: old }, { message: {}, code: { code: '00000000' } }),
        recovery: () =>
          flow(
            { identifier: old, purpose: 'recovery' },
            { message: {}, code: { code: '00000000' }, 'new-password': { secret: newPassword() } },
          ),
        'the token as that of a login': () => flow({ continue: second }, {}),
      },
    };
  },
  'the mailbox that a user without a password gave up, who has logged in by the new one':
    async () => {
      const user = await verified();
      const old = user.identifier;
      const identifier = await move(user);
      const token = await undoTokenTo(sink, old, 1);
      await keywright.database.query(
        'UPDATE identifier_undos SET secret_hash = NULL WHERE user_id = $1',
        [user.user.id],
      );
      keywright.clock.advance(60);
      await tenant.login(identifier, user.password);
      return {
        user,
        identifier,
        password: user.password,
        tries: {
          undo: () => asList(send('POST', '/auth/identifiers/undo', { undo_token: token })),
          recovery: () => flow({ identifier: old, purpose: 'recovery' }, { message: {} }),
        },
      };
    },
  'the mailbox that a user whose only proof is a passkey gave up': async () => {
    const change = await addAddress(sink, tenant, await tenant.createUser());
    const { user, added, undoToken: undo_token } = change;
    const passkey = await recordPasskey(keywright, tenant, change);
    await keywright.database.query(
      'UPDATE identifier_undos SET secret_hash = NULL WHERE user_id = $1',
      [user.user.id],
    );
    const { passkey: attackerPasskey } = await addPasskey(
      tenant,
      (await tenant.createUser()).token,
    );
    const undo = async (more: object = {}) =>
      asList(send('POST', '/auth/identifiers/undo', { undo_token, ...more }));
    const byAttacker = async () => attackerPasskey.get(await undoOptions(tenant, undo_token));
    return {
      user,
      identifier: added,
      password: user.password,
      tries: {
        undo: () => undo(),
        'undo with a guess': () => undo(guess()),
        'undo with a passkey of their own': async () => undo({ credential: await byAttacker() }),
        'undo with their passkey in the name of the other': async () => {
          const id = passkey.id.toString('base64url');
          return undo({ credential: { ...(await byAttacker()), id, rawId: id } });
        },
        'a login with what the passkey signs for an undo': async () => {
          const credential = passkey.get(await undoOptions(tenant, undo_token));
          return flow({}, { 'passkey/options': {}, passkey: { credential } });
        },
      },
    };
  },
  'a former password, and the mailbox given up before it': async () => {
    const user = await verified();
    const old = user.identifier;
    const identifier = await move(user);
    const token = await undoTokenTo(sink, old, 1);
    const password = newPassword();
    const change = { password, current_password: user.password };
    const { access_token: now } = await tenant.login(identifier, user.password);
    expectStatus(200, await send('PATCH', '/me', change, now));
    const former = { secret: user.password };
    return {
      user,
      identifier,
      password,
      tries: {
        'a login': () => asList(send('POST', '/auth/login', { identifier, ...former })),
        'a login by steps': () => flow({ identifier }, { password: former }),
        registration: () =>
          asList(send('POST', '/auth/login', { identifier, ...former, register: true })),
        undo: () =>
          asList(
            send('POST', '/auth/identifiers/undo', { undo_token: token, password: user.password }),
          ),
      },
    };
  },
  'a remembered device': async () => {
    const user = await verified();
    const { identifier } = user;
    const login = await send('POST', '/auth/login', { identifier, secret: user.password });
    const { device_token } = expectStatus(200, login) as { device_token?: string };
    assert.ok(device_token);
    const wrong = { secret: newPassword(), device_token };
    return {
      user,
      identifier,
      password: user.password,
      tries: {
        'a login with a guess': () => asList(send('POST', '/auth/login', { identifier, ...wrong })),
        'a login by steps with a guess': () => flow({ identifier }, { password: wrong }),
        'a flow that starts with the token': () =>
          flow({ identifier, device_token }, { password: { secret: newPassword() } }),
        'the code of a message in such a flow': () =>
          flow({ identifier, device_token }, { message: {}, code: { code: '00000000' } }),
        'the token as a refresh token': () =>
          asList(send('POST', '/auth/refresh', { refresh_token: device_token })),
        'the token as a bearer': () => asList(send('GET', '/me', undefined, device_token)),
      },
    };
  },
  'a stolen session that is no longer recent': async () => {
    const user = await verified();
    const { token, identifier, password } = user;
    keywright.clock.advance(600);
    return {
      user,
      identifier,
      password,
      tries: {
        'another password': () =>
          asList(
            send(
              'PATCH',
              '/me',
              { password: newPassword(), current_password: newPassword() },
              token,
            ),
          ),
        'another password as an administrator would': () =>
          asList(send('PATCH', `/users/${user.user.id}`, { password: newPassword() }, token)),
        'another address': () =>
          asList(send('POST', '/me/identifiers', { identifier: newIdentifier() }, token)),
        'no address': () =>
          asList(send('DELETE', `/me/identifiers/${identifier}`, undefined, token)),
        'an authenticator': () => asList(send('POST', '/me/factors/totp', {}, token)),
        'a passkey': () => asList(send('POST', '/me/factors/passkeys/options', {}, token)),
        'recovery codes': () => asList(send('POST', '/me/factors/recovery-codes', {}, token)),
      },
    };
  },
  'a session from before the second factor': async () => {
    const user = await verified();
    const { identifier, password } = user;
    const { access_token: lower } = await tenant.login(identifier, password);
    const { factor } = await enrollTotp(tenant, user.token, keywright.clock);
    return {
      user,
      identifier,
      password,
      tries: {
        'no second factor': () =>
          asList(send('DELETE', `/me/factors/${factor.id}`, undefined, lower)),
        'another second factor': () => asList(send('POST', '/me/factors/totp', {}, lower)),
        'recovery codes': () => asList(send('POST', '/me/factors/recovery-codes', {}, lower)),
        'another password': () =>
          asList(
            send('PATCH', '/me', { password: newPassword(), current_password: password }, lower),
          ),
        'another address': () =>
          asList(send('POST', '/me/identifiers', { identifier: newIdentifier() }, lower)),
        'no address': () =>
          asList(send('DELETE', `/me/identifiers/${identifier}`, undefined, lower)),
      },
    };
  },
};

/** What decides who controls an account. */
async function control({ user }: TestUser): Promise<unknown> {
  return keywright.database.query(
    `SELECT (SELECT jsonb_agg(jsonb_build_array(identifier, verified) ORDER BY position)
               FROM user_identifiers WHERE user_id = $1) AS identifiers,
            (SELECT jsonb_agg(secret_hash) FROM user_credentials WHERE user_id = $1) AS secrets,
            (SELECT jsonb_agg(id ORDER BY id) FROM user_factors
              WHERE user_id = $1 AND confirmed_at IS NOT NULL) AS factors,
            (SELECT count(*) FROM sessions WHERE user_id = $1) AS sessions`,
    [user.id],
  );
}

for (const [holder, find] of Object.entries(HOLDERS)) {
  describe(`an attacker who holds ${holder}`, () => {
    let stolen: StolenCredential;
    let present: unknown;
    before(async () => {
      stolen = await find();
      present = await control(stolen.user);
    });

    test('An attacker with an old or partial credential gets neither a session nor the account, whatever they try', async () => {
      for (const [what, attempt] of Object.entries(stolen.tries)) {
        const answers = await attempt();
        for (const { body } of answers) {
          assert.equal('access_token' in Object(body), false, what);
          assert.equal('refresh_token' in Object(body), false, what);
        }
        assert.ok((answers.at(-1)?.status ?? 0) >= 400 || what.startsWith('recovery'), what);
        assert.deepEqual(await control(stolen.user), present, what);
      }
    });
  });
}
