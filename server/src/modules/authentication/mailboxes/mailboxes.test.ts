import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer, LoginFlow } from '@keywright/contract/records/login-flow';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, type JsonBody, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';

type Reply = Answer<FlowAnswer & ErrorBody>;

let sink: MailSink;
let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  sink = await startMailSink();
  keywright = await startKeywright({
    clock: 'fake',
    env: {
      KEYWRIGHT_TRUSTED_PROXIES: '127.0.0.1/32',
      ...mailThrough(sink),
    },
  });
  tenant = await keywright.tenant('mailboxes', {
    config: { magic_link_url: 'https://app.example.com/login', notify_new_device: false },
  });
});
after(async () => {
  await keywright.close();
  await sink.close();
});

let addresses = 0;
/** A new client address, because one address can start only a few flows and request only a few messages. */
const newAddress = () => ({
  'x-forwarded-for': `203.0.${(addresses += 1) % 250}.${addresses % 250}`,
  'user-agent': 'a browser',
});

async function startFlow(body: object, at = tenant): Promise<StartedFlow> {
  const answer = await at.request<StartedFlow>('POST', '/auth/flows', {
    body,
    headers: newAddress(),
  });
  return expectStatus(201, answer);
}

function step({ flow, flow_token }: StartedFlow, name: string, body: object = {}, at = tenant) {
  return at.request<FlowAnswer & ErrorBody>('POST', `/auth/flows/${flow.id}/${name}`, {
    body: { flow_token, ...body },
    headers: newAddress(),
  });
}

/** A flow whose message was sent, and received. */
async function sent(identifier: string, extra: object = {}, skip = 0) {
  const started = await startFlow({ identifier, ...extra });
  const message = expectStatus(200, await step(started, 'message'));
  return { started, message, ...(await mailedTo(sink, identifier, skip)) };
}

function refused(answer: Answer<ErrorBody>, status: number, code: string): void {
  assert.equal(expectStatus(status, answer).code, code);
}

async function verified(): Promise<TestUser> {
  const user = await tenant.createUser();
  const token = await tenant.adminToken();
  const body = { identifiers: [{ type: 'email', identifier: user.identifier, verified: true }] };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
  const { access_token, refresh_token } = await tenant.login(user.identifier, user.password);
  return { ...user, token: access_token, refreshToken: refresh_token };
}

const stepsOf = ({ needs }: LoginFlow) => needs.map((need) => need.step);

describe('a message', () => {
  test('A message is offered before the user is known, and its code opens a session', async () => {
    const user = await verified();
    const { started, message, code } = await sent(user.identifier);
    assert.deepEqual(stepsOf(started.flow), ['password', 'message', 'passkey']);
    assert.deepEqual(stepsOf(message.flow), ['password', 'message', 'code', 'link', 'passkey']);
    const answer = expectStatus(200, await step(started, 'code', { code }));
    assert.equal(answer.user?.id, user.user.id);
    const claims = claimsOf(answer.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal1', ['email']]);
    refused(await step(started, 'code', { code }), 401, 'FLOW_ENDED');
    assert.equal((await tenant.login(user.identifier, user.password)).user.id, user.user.id);
  });

  test('The link of a message opens a session in the flow that requested it, once', async () => {
    const user = await verified();
    const { started, linkToken } = await sent(user.identifier);
    const answer = expectStatus(200, await step(started, 'link', { link_token: linkToken }));
    assert.equal(answer.user?.id, user.user.id);
    refused(await step(started, 'link', { link_token: linkToken }), 401, 'FLOW_ENDED');
  });

  test('The link of a message proves nothing elsewhere, and leads to a flow that accepts its code', async () => {
    const user = await verified();
    const { started, linkToken, code } = await sent(user.identifier);
    const other = await startFlow({ identifier: user.identifier });
    refused(await step(other, 'link', { link_token: linkToken }), 400, 'LINK_ELSEWHERE');
    keywright.clock.advance(31);
    expectStatus(200, await step(other, 'message'));
    refused(await step(other, 'link', { link_token: linkToken }), 400, 'LINK_ELSEWHERE');
    const elsewhere = await startFlow({ continue: linkToken });
    assert.deepEqual(stepsOf(elsewhere.flow), ['code']);
    assert.equal(elsewhere.origin?.user_agent, 'a browser');
    refused(await step(elsewhere, 'link', { link_token: linkToken }), 400, 'LINK_ELSEWHERE');
    const answer = expectStatus(200, await step(elsewhere, 'code', { code }));
    assert.equal(answer.user?.id, user.user.id);
    refused(await step(started, 'code', { code }), 400, 'STEP_NOT_NEEDED');
    refused(await step(started, 'link', { link_token: linkToken }), 400, 'STEP_NOT_NEEDED');
  });

  test('A message without magic_link_url has no link', async () => {
    const plain = await keywright.tenant('plain');
    const { identifier } = await plain.createUser();
    const started = await startFlow({ identifier }, plain);
    const message = expectStatus(200, await step(started, 'message', {}, plain));
    assert.deepEqual(stepsOf(message.flow), ['password', 'message', 'code', 'passkey']);
    const { code, linkToken, mail } = await mailedTo(sink, identifier);
    assert.deepEqual([linkToken, /http/.test(mail.parsed.text ?? '')], ['', false]);
    assert.equal((await step(started, 'code', { code }, plain)).status, 200);
  });

  test('A message does not replace a second factor', async () => {
    const user = await verified();
    const totp = await enrollTotp(tenant, user.token, keywright.clock);
    const { started, code } = await sent(user.identifier);
    const half = expectStatus(200, await step(started, 'code', { code }));
    assert.deepEqual(
      [stepsOf(half.flow), half.access_token],
      [['totp', 'recovery_code'], undefined],
    );
    keywright.clock.advance(30);
    const second = { code: totpOf(totp.secret, keywright.clock.now()) };
    const answer = expectStatus(200, await step(started, 'totp', second));
    const claims = claimsOf(answer.access_token ?? '');
    assert.deepEqual([claims['acr'], claims['amr']], ['aal2', ['email', 'otp', 'mfa']]);
  });

  test('A message allows five wrong codes, whether or not a user has the address', async () => {
    const user = await verified();
    const existing = await sent(user.identifier);
    const unknown = await startFlow({ identifier: newIdentifier() });
    expectStatus(200, await step(unknown, 'message'));
    const wrong = { code: existing.code === '00000000' ? '00000001' : '00000000' };
    const guess = async (started: StartedFlow) => {
      const answers: Reply[] = [];
      for (let index = 0; index < 6; index += 1) answers.push(await step(started, 'code', wrong));
      return answers.map(({ status, body }) => ({ status, body }));
    };
    const [ofExisting, ofUnknown] = [await guess(existing.started), await guess(unknown)];
    assert.deepEqual(ofExisting, ofUnknown);
    assert.deepEqual(
      ofExisting.map(({ body }) => body.guesses_left ?? body.code),
      [4, 3, 2, 1, 0, 'FLOW_ENDED'],
    );
    refused(await step(existing.started, 'code', { code: existing.code }), 401, 'FLOW_ENDED');
  });

  for (const purpose of ['login', 'recovery']) {
    test(`The message of a ${purpose} can be used neither by its code nor by its link after five wrong codes`, async () => {
      const user = await verified();
      const { started, code, linkToken } = await sent(user.identifier, { purpose });
      const elsewhere = await startFlow({ continue: linkToken });
      const wrong = { code: code === '00000000' ? '00000001' : '00000000' };
      for (const flow of [started, started, started, elsewhere, elsewhere]) {
        refused(await step(flow, 'code', wrong), 400, 'CODE_WRONG');
      }
      refused(await step(started, 'code', { code }), 401, 'FLOW_ENDED');
      refused(await step(started, 'link', { link_token: linkToken }), 401, 'FLOW_ENDED');
      refused(await step(elsewhere, 'code', { code }), 401, 'FLOW_ENDED');
      const again = { body: { continue: linkToken }, headers: newAddress() };
      refused(await tenant.request<ErrorBody>('POST', '/auth/flows', again), 401, 'FLOW_ENDED');
      keywright.clock.advance(31);
      refused(await step(started, 'message'), 401, 'FLOW_ENDED');
    });
  }

  test('A message whose code is refused without being compared keeps its guesses, and its link works', async () => {
    const { identifier } = await verified();
    const first = await sent(identifier);
    const others = [];
    for (const skip of [1, 2, 3, 4]) others.push(await sent(identifier, {}, skip));
    for (const { started } of others)
      for (const digit of '12345') await step(started, 'code', { code: digit.repeat(8) });
    for (const { code } of [first, first, first, first, first, first])
      refused(await step(first.started, 'code', { code }), 429, 'TOO_MANY_ATTEMPTS');
    expectStatus(200, await step(first.started, 'link', { link_token: first.linkToken }));
  });

  test('A request for a message is answered alike for known, unknown, inactive and unverified users, and it is sent to those who can use it', async () => {
    const [user, inactive, unverified] = [
      await verified(),
      await verified(),
      await tenant.createUser(),
    ];
    const token = await tenant.adminToken();
    const off = { token, body: { is_active: false } };
    expectStatus(200, await tenant.request('PATCH', `/users/${inactive.user.id}`, off));
    const answers: unknown[] = [];
    const unknown = newIdentifier();
    for (const identifier of [user, inactive, unverified]
      .map((recipient) => recipient.identifier)
      .concat(unknown)) {
      const started = await startFlow({ identifier });
      const { body } = await step(started, 'message');
      assert.match(String((body as JsonBody)['sent_to']), /^.…@.….*$/);
      answers.push({ ...body, sent_to: '', flow: { ...body.flow, id: '' } });
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    await mailedTo(sink, user.identifier);
    await mailedTo(sink, unverified.identifier);
    const got = (address: string) => sink.mails.some(({ to }) => to.includes(address));
    assert.deepEqual([got(inactive.identifier), got(unknown)], [false, false]);
  });
});

describe('an unknown address', () => {
  test('An unknown address becomes a user with a session when its message is confirmed, if the flow may register', async () => {
    const identifier = newIdentifier();
    const { started, code } = await sent(identifier, { register: true, name: 'Ada' });
    const answer = expectStatus(200, await step(started, 'code', { code }));
    assert.deepEqual(answer.user?.identifiers, [{ type: 'email', identifier, verified: true }]);
    keywright.clock.advance(31);
    const next = await sent(identifier, {}, 1);
    const again = expectStatus(200, await step(next.started, 'code', { code: next.code }));
    const named = await keywright.database.query("SELECT id FROM users WHERE name = 'Ada'");
    assert.deepEqual([again.user?.id, named], [answer.user?.id, [{ id: answer.user?.id }]]);
  });

  test('An unknown address gets no mail without magic_link_registration', async () => {
    const closed = await keywright.tenant('closed', { config: { magic_link_registration: false } });
    const identifier = newIdentifier();
    const started = await startFlow({ identifier, register: true }, closed);
    expectStatus(200, await step(started, 'message', {}, closed));
    const query = 'SELECT status, reason FROM messages WHERE tenant_id = $1';
    const rows = await keywright.database.query(query, [closed.id]);
    const reason = 'not_sent: The recipient is not an active, verified user.';
    assert.deepEqual(rows, [{ status: 'done', reason }]);
  });
});

describe('an address at .localhost, such as that of a generated first administrator,', () => {
  test('An address at .localhost gets no message, responds like any other, and its user enrolls a second factor without one', async () => {
    const strict = await keywright.tenant('local', { config: { require_mfa: true } });
    const user = { identifier: 'admin@keywright.localhost', password: newPassword() };
    const other = { ...user, identifier: newIdentifier() };
    for (const account of [user, other]) {
      const body = { identifier: account.identifier, secret: account.password, register: true };
      await strict.request('POST', '/auth/login', { body });
    }
    await keywright.database.query(
      'UPDATE user_identifiers SET verified = true WHERE tenant_id = $1',
      [strict.id],
    );
    const shown = [];
    for (const { identifier } of [user, other]) {
      const { flow } = expectStatus(
        200,
        await step(await startFlow({ identifier }, strict), 'message', {}, strict),
      );
      shown.push(stepsOf(flow));
    }
    assert.deepEqual(shown[0], shown[1]);
    await mailedTo(sink, other.identifier);
    assert.deepEqual(
      await keywright.database.query(
        `SELECT status, reason FROM messages WHERE tenant_id = $1 AND masked_destination = 'a…@k….localhost'`,
        [strict.id],
      ),
      [{ status: 'done', reason: 'not_sent: No messages are sent to .localhost domains.' }],
    );
    const afterPassword = async ({ identifier, password }: typeof user) => {
      const started = await startFlow({ identifier }, strict);
      const answer = await step(started, 'password', { secret: password }, strict);
      return stepsOf(expectStatus(200, answer).flow);
    };
    assert.deepEqual(await afterPassword(user), ['enroll']);
    assert.deepEqual(await afterPassword(other), ['message']);
  });
});

describe('an unverified account', () => {
  test('An unverified account passes to the person who receives its mail, without the credentials of the person who registered it', async () => {
    const squatter = await tenant.createUser();
    await enrollTotp(tenant, squatter.token, keywright.clock);
    const { started, code } = await sent(squatter.identifier);
    const answer = expectStatus(200, await step(started, 'code', { code }));
    assert.equal(answer.flow.status, 'complete');
    assert.equal(answer.user?.id, squatter.user.id);
    const me = await tenant.request('GET', '/me', { token: squatter.token });
    refused(me as Answer<ErrorBody>, 401, 'TOKEN_INVALID');
    const body = { identifier: squatter.identifier, secret: squatter.password };
    const login = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
    refused(login, 401, 'INVALID_CREDENTIALS');
    const refresh = { body: { refresh_token: squatter.refreshToken } };
    refused(
      await tenant.request<ErrorBody>('POST', '/auth/refresh', refresh),
      401,
      'TOKEN_INVALID',
    );
    const token = answer.access_token ?? '';
    const factors = await tenant.request('GET', '/me/factors', { token });
    assert.deepEqual(expectStatus(200, factors).items, []);
  });

  test('An unverified account with another verified address keeps that one, and loses the unverified one', async () => {
    const owner = await verified();
    const stray = newIdentifier();
    const token = await tenant.adminToken();
    const identifiers = [
      { type: 'email', identifier: owner.identifier, verified: true },
      { type: 'email', identifier: stray, verified: false },
    ];
    const path = `/users/${owner.user.id}`;
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { identifiers } }));
    const { started, code } = await sent(stray, { register: true });
    const answer = expectStatus(200, await step(started, 'code', { code }));
    assert.notEqual(answer.user?.id, owner.user.id);
    const login = await tenant.login(owner.identifier, owner.password);
    assert.deepEqual(login.user.identifiers, identifiers.slice(0, 1));
  });

  for (const [which, others] of [
    ['the first of two, whose account keeps the other', true],
    ['the second of two, which replaces the first', false],
  ] as const) {
    test(`An account has a first address, by which users are sorted, once a mail proves ${which}`, async () => {
      const { user } = await tenant.createUser();
      const [first, second] = [newIdentifier(), newIdentifier()];
      const identifiers = [
        { type: 'email', identifier: first, verified: false },
        { type: 'email', identifier: second, verified: others },
      ];
      const token = await tenant.adminToken();
      const options = { token, body: { identifiers } };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
      const { started, code } = await sent(others ? first : second, { register: true });
      expectStatus(200, await step(started, 'code', { code }));
      const places = await keywright.database.query<object>(
        'SELECT identifier, position FROM user_identifiers WHERE user_id = $1',
        [user.id],
      );
      assert.deepEqual(places, [{ identifier: second, position: 0 }]);
    });
  }
});

test('A code of 10 digits logs in, even while codes of the tenant are guessed', async () => {
  const guessed = await keywright.tenant('mailboxes-guessed');
  await keywright.database.query(
    `INSERT INTO challenges (tenant_id, id, flow_id, kind, guesses, expires_at)
     SELECT $1, 'chl_' || n, 'login_' || n, 'login', 5, $2 FROM generate_series(1, 41) AS n`,
    [guessed.id, keywright.clock.now()],
  );
  const identifier = newIdentifier();
  const started = await startFlow({ identifier, register: true }, guessed);
  expectStatus(200, await step(started, 'message', {}, guessed));
  const { code } = await mailedTo(sink, identifier);
  assert.match(code, /^[0-9]{10}$/);
  for (const wrong of [code.slice(2), code.slice(0, 8), '0000000000', '000000000']) {
    const { status } = await step(started, 'code', { code: wrong }, guessed);
    assert.equal(status, 400, wrong);
  }
  const answer = expectStatus(200, await step(started, 'code', { code }, guessed));
  assert.equal(answer.user?.identifiers[0]?.identifier, identifier);
});

test('A code is worthless after its user changes credentials or is deactivated, or its flow is canceled', async () => {
  const changes: ((user: TestUser, started: StartedFlow, token: string) => Promise<unknown>)[] = [
    ({ user }, _started, token) =>
      tenant.request('PATCH', `/users/${user.id}`, { token, body: { password: newPassword() } }),
    ({ user }, _started, token) =>
      tenant.request('PATCH', `/users/${user.id}`, { token, body: { is_active: false } }),
    (_user, started) => step(started, 'cancel'),
  ];
  for (const change of changes) {
    const user = await verified();
    const { started, code, linkToken } = await sent(user.identifier);
    await change(user, started, await tenant.adminToken());
    const answers = [
      await step(started, 'link', { link_token: linkToken }),
      await step(started, 'code', { code }),
    ];
    for (const { status, body } of answers) {
      assert.ok(status === 401 || status === 400, String(status));
      assert.equal(body.access_token, undefined);
    }
  }
});
