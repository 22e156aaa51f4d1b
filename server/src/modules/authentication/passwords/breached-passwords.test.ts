import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { StartedFlow, FlowAnswer } from '@keywright/contract/records/login-flow';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { runCommand } from '@keywright/tests/harness/command-line';
import { newIdentifier, newPassword } from '@keywright/tests/harness/credentials';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { type MailSink, startMailSink } from '@keywright/tests/harness/mail-sink';
import { mailedTo, mailThrough } from '@keywright/tests/harness/mailed';
import { type Receiver, startReceiver } from '@keywright/tests/harness/receiver';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp } from '@keywright/tests/harness/totp';
import { until } from '@keywright/tests/harness/until';

const FLAW = 'appeared in a data breach of another service';
const MANY = { login_attempts_limit: 10_000, notify_new_device: false };

let sink: MailSink;
let service: Receiver;
let keywright: Keywright;
let file: string;
/** The behavior of the range service. */
let behavior: (response: ServerResponse, prefix: string) => void;
/** Its requests. */
let requests: IncomingMessage[] = [];
const breached = new Set<string>();
const IN_FILE = newPassword();

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

/** Responds like Have I Been Pwned, with padding: lines whose count is 0. */
function answerRange(response: ServerResponse, prefix: string): void {
  const hits = [...breached].map(sha1).filter((hash) => hash.startsWith(prefix));
  const lines = hits.map((hash) => `${hash.slice(5)}:3`);
  for (let n = lines.length; n < 800; n += 1) lines.push(`${sha1(`${prefix} ${n}`).slice(5)}:0`);
  for (const padded of padding) lines.push(`${sha1(padded).slice(5)}:0`);
  response.end(lines.toSorted().join('\r\n'));
}
const padding = new Set<string>();

before(async () => {
  sink = await startMailSink();
  service = await startReceiver((request, response) => {
    requests.push(request);
    behavior(response, request.url?.slice('/range/'.length) ?? '');
  });
  const folder = await temporaryDirectory('breaches');
  const hashes = Array.from({ length: 5000 }, (_, n) => sha1(`breached as ${n}`));
  const sorted = [...hashes, sha1(IN_FILE)].toSorted().map((hash) => `${hash}:7`);
  await writeFile(join(folder, 'hashes.txt'), sorted.join('\r\n'));
  file = join(folder, 'breached.bin');
  const built = await runCommand(['passwords', 'build', join(folder, 'hashes.txt'), file]);
  assert.equal(built.code, 0, built.stderr);
  keywright = await startKeywright({
    clock: 'fake',
    env: {
      ...mailThrough(sink),
      KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1',
      KEYWRIGHT_BREACHED_PASSWORDS_URL: `http://127.0.0.1:${service.port}`,
      KEYWRIGHT_BREACHED_PASSWORDS_FILE: file,
    },
  });
});
after(async () => {
  await keywright.close();
  await service.close();
  await sink.close();
});
beforeEach(() => {
  behavior = answerRange;
  requests = [];
});

const configured = (name: string, config: Partial<TenantConfig>) =>
  keywright.tenant(name, { config: { ...MANY, ...config } });

function newBreached(): string {
  const password = newPassword();
  breached.add(password);
  return password;
}

function register(tenant: TestTenant, secret: string, identifier = newIdentifier()) {
  const body = { identifier, secret, register: true };
  return tenant.request<ErrorBody>('POST', '/auth/login', { body });
}

function refused(answer: Answer<ErrorBody>, message = FLAW): void {
  const { code, errors } = expectStatus(400, answer);
  assert.deepEqual([code, errors?.[0]?.message], ['VALIDATION_FAILED', message]);
}

async function failuresOf({ id }: TestTenant): Promise<number> {
  await keywright.nodes[0]?.notes.flush();
  const rows = await keywright.database.query(
    `SELECT FROM audit_entries WHERE tenant_id = $1 AND action = 'auth.breach_check_failed'`,
    [id],
  );
  return rows.length;
}

describe('with range, a breached password', () => {
  test('A breached password is refused wherever a password is set', async () => {
    const tenant = await configured('ranged', { breached_passwords: 'range' });
    refused(await register(tenant, newBreached()));
    const token = await tenant.adminToken();
    const body = { identifier: newIdentifier(), password: newBreached() };
    refused(await tenant.request<ErrorBody>('POST', '/users', { token, body }));
    const user = await tenant.createUser();
    const path = `/users/${user.user.id}`;
    const password = newBreached();
    refused(await tenant.request<ErrorBody>('PATCH', path, { token, body: { password } }));
    const passwordChange = { password, current_password: user.password };
    refused(
      await tenant.request<ErrorBody>('PATCH', '/me', { token: user.token, body: passwordChange }),
    );
    const identifiers = [{ identifier: user.identifier, verified: true }];
    expectStatus(200, await tenant.request('PATCH', path, { token, body: { identifiers } }));
    const { flow, flow_token } = expectStatus(
      201,
      await tenant.request<StartedFlow>('POST', '/auth/flows', {
        body: { identifier: user.identifier, purpose: 'recovery' },
      }),
    );
    const step = (name: string, fields: object) =>
      tenant.request<ErrorBody>('POST', `/auth/flows/${flow.id}/${name}`, {
        body: { flow_token, ...fields },
      });
    expectStatus(200, await step('message', {}));
    const { code } = await mailedTo(sink, user.identifier);
    expectStatus(200, await step('code', { code }));
    refused(await step('new-password', { secret: password }));
    assert.ok(await tenant.login(user.identifier, user.password));
  });

  test('A password is looked up by five digits of its hash, with padding, once an hour', async () => {
    const tenant = await configured('asking', { breached_passwords: 'range' });
    const password = newBreached();
    refused(await register(tenant, password));
    refused(await register(tenant, password));
    const [request] = requests;
    assert.deepEqual([requests.length, request?.url], [1, `/range/${sha1(password).slice(0, 5)}`]);
    assert.equal(request?.headers['add-padding'], 'true');
    keywright.clock.advance(3601);
    refused(await register(tenant, password));
    assert.equal(requests.length, 2);
  });

  test('A breached password is found in its normalized form, and lines of padding do not count', async () => {
    const tenant = await configured('padded', { breached_passwords: 'range' });
    const password = newPassword();
    breached.add(`${password}ffi`);
    refused(await register(tenant, `${password}ﬃ`));
    const other = newPassword();
    padding.add(other);
    expectStatus(200, await register(tenant, other));
  });
});

const FAILURES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  fails: (response) => response.writeHead(500).end('no'),
  'is silent': () => undefined,
  'is slow': (response) => void response.writeHead(200).write(`${'0'.repeat(35)}:1`),
  'hangs up': (response) => response.destroy(),
  'answers something else': (response) => response.end('<html></html>'),
  'answers too much': (response) => response.end('0'.repeat(2 ** 19)),
};

for (const [name, fail] of Object.entries(FAILURES)) {
  test(`Passwords are accepted while the service ${name}, and the failed check is recorded`, async () => {
    const tenant = await configured(`failing-${name.replaceAll(' ', '-')}`, {
      breached_passwords: 'range',
    });
    behavior = fail;
    expectStatus(200, await register(tenant, newBreached()));
    assert.equal(await failuresOf(tenant), 1);
    // The list of common passwords applies in any case.
    refused(await register(tenant, 'password1234'), 'is one of the most common passwords');
  });
}

test('A tenant with breached_passwords: file refuses only the passwords in the operator’s file', async () => {
  const tenant = await configured('filed', { breached_passwords: 'file' });
  refused(await register(tenant, IN_FILE));
  for (const n of [0, 1, 777, 2500, 4998, 4999])
    refused(await register(tenant, `breached as ${n}`));
  for (const n of [5000, 5001, 9999]) expectStatus(200, await register(tenant, `breached as ${n}`));
  assert.deepEqual([requests.length, await failuresOf(tenant)], [0, 0]);
});

test('A closed service no longer holds the file of breached passwords open', async () => {
  const { ino } = await stat(file);
  const isThisFile = (descriptor: string) => {
    try {
      return fstatSync(Number(descriptor)).ino === ino;
    } catch {
      // The descriptor of the listing itself, which is closed by now.
      return false;
    }
  };
  const countOpen = async () => (await readdir('/dev/fd')).filter(isThisFile).length;
  const openBefore = await countOpen();
  const other = await startKeywright({ env: { KEYWRIGHT_BREACHED_PASSWORDS_FILE: file } });
  const tenant = await other.tenant('closed', { config: { ...MANY, breached_passwords: 'file' } });
  refused(await register(tenant, IN_FILE));
  assert.equal(await countOpen(), openBefore + 1);
  await other.close();
  assert.equal(await countOpen(), openBefore);
});

test('breached_passwords: with off, nothing is compared; with list, the most common ones alone', async () => {
  const [off, list] = [
    await configured('compares-nothing', { breached_passwords: 'off' }),
    await configured('compares-list', { breached_passwords: 'list' }),
  ];
  expectStatus(200, await register(off, 'password1234'));
  refused(await register(list, 'password1234'), 'is one of the most common passwords');
  expectStatus(200, await register(list, newBreached()));
  assert.equal(requests.length, 0);
});

test('A password that is too similar to a name of the user or the tenant is refused', async () => {
  const tenant = await configured('lighthouse', {});
  const identifier = `grace.hopper@${newIdentifier().split('@')[0]}.example.org`;
  const message = 'is too similar to a name of the user or the tenant';
  for (const secret of ['lighthouse2024', 'Lighthouse-1234', 'gracehopper1906', 'HOPPER.grace.1!'])
    refused(await register(tenant, secret, identifier), message);
  expectStatus(200, await register(tenant, 'grace keeps the lighthouse lit', identifier));
});

describe('a login with a password that is known from a breach', () => {
  async function verified(tenant: TestTenant) {
    const user = await tenant.createUser();
    const token = await tenant.adminToken();
    const body = { identifiers: [{ identifier: user.identifier, verified: true }] };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.user.id}`, { token, body }));
    return user;
  }
  const noticesTo = (identifier: string) =>
    sink.mails.filter(
      ({ to, parsed }) => to.includes(identifier) && parsed.subject?.startsWith('Change your'),
    ).length;

  test('breached_at_login: the session is opened, and the user is notified once', async () => {
    const tenant = await configured('telling', { breached_passwords: 'range' });
    const [user, other] = [await verified(tenant), await verified(tenant)];
    // Since they chose it.
    breached.add(user.password);
    breached.add(other.password);
    keywright.clock.advance(3601);
    await tenant.login(user.identifier, user.password);
    await until('the notice', () => noticesTo(user.identifier) === 1);
    await tenant.login(user.identifier, user.password);
    await tenant.login(other.identifier, other.password);
    await until('the notice of another', () => noticesTo(other.identifier) === 1);
    assert.equal(noticesTo(user.identifier), 1);
  });

  test('A wrong password is not looked up, and neither is any with breached_at_login: off', async () => {
    const tenant = await configured('quiet', { breached_passwords: 'range' });
    const user = await verified(tenant);
    requests = [];
    const body = { identifier: user.identifier, secret: newBreached() };
    expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
    const off = await configured('untold', {
      breached_passwords: 'range',
      breached_at_login: 'off',
    });
    const silent = await verified(off);
    breached.add(silent.password);
    keywright.clock.advance(3601);
    requests = [];
    await off.login(silent.identifier, silent.password);
    assert.equal(requests.length, 0);
  });
});

describe('where breached_at_login is require', () => {
  type Continued = ErrorBody & Partial<FlowAnswer>;
  const step = (tenant: TestTenant, id: string, name: string, body: object) =>
    tenant.request<Continued>('POST', `/auth/flows/${id}/${name}`, { body });
  const strict = (name: string) =>
    configured(name, { breached_passwords: 'range', breached_at_login: 'require' });
  async function createAccount(tenant: TestTenant) {
    const user = await tenant.createUser();
    breached.add(user.password);
    keywright.clock.advance(3601);
    return user;
  }

  test('A login with a breached password requires a new one and ends the other sessions, and the old one is refused', async () => {
    const tenant = await strict('required');
    const { identifier, password, token } = await createAccount(tenant);
    const body = { identifier, secret: password };
    const refusal = await tenant.request<Continued>('POST', '/auth/login', { body });
    const { code, flow } = expectStatus(401, refusal);
    assert.deepEqual([code, flow?.needs], ['NEW_PASSWORD_REQUIRED', [{ step: 'new_password' }]]);
    assert.equal(refusal.body.access_token, undefined);
    const { id = '', flow_token } = flow ?? {};
    refused(await step(tenant, id, 'new-password', { flow_token, secret: newBreached() }));
    const secret = newPassword();
    const done = expectStatus(200, await step(tenant, id, 'new-password', { flow_token, secret }));
    assert.equal(claimsOf(done.access_token ?? '').acr, 'aal1');
    expectStatus(401, await tenant.request('GET', '/me', { token }));
    expectStatus(401, await tenant.request('POST', '/auth/login', { body }));
    assert.ok(await tenant.login(identifier, secret));
    const rows = await keywright.database.query<{ action: string }>(
      `SELECT DISTINCT action FROM audit_entries WHERE tenant_id = $1 AND action LIKE 'user.%ed' ORDER BY 1`,
      [tenant.id],
    );
    assert.ok(!rows.some(({ action }) => action === 'user.recovered'));
  });

  test('The password step with a breached password leads to a new password, and to no tokens', async () => {
    const tenant = await strict('stepwise');
    const { identifier, password: secret } = await createAccount(tenant);
    const { flow, flow_token } = expectStatus(
      201,
      await tenant.request<StartedFlow>('POST', '/auth/flows', { body: { identifier } }),
    );
    const proven = expectStatus(
      200,
      await step(tenant, flow.id, 'password', { flow_token, secret }),
    );
    assert.deepEqual(
      [proven.access_token, proven.flow?.needs],
      [undefined, [{ step: 'new_password' }]],
    );
    const next = { flow_token, secret: newPassword() };
    assert.ok(expectStatus(200, await step(tenant, flow.id, 'new-password', next)).access_token);
  });

  test('A second factor is proven before the new password that replaces a breached one', async () => {
    const tenant = await strict('twofold');
    const { identifier, password, token } = await tenant.createUser();
    const { codes } = await enrollTotp(tenant, token, keywright.clock);
    breached.add(password);
    keywright.clock.advance(3601);
    const body = { identifier, secret: password };
    const refusal = await tenant.request<Continued>('POST', '/auth/login', { body });
    const { code, flow } = expectStatus(401, refusal);
    assert.equal(code, 'MFA_REQUIRED');
    const { id = '', flow_token } = flow ?? {};
    const secret = newPassword();
    expectStatus(400, await step(tenant, id, 'new-password', { flow_token, secret }));
    const second = await step(tenant, id, 'recovery-code', { flow_token, code: codes[0] });
    const { access_token, flow: continued } = expectStatus(200, second);
    assert.deepEqual([access_token, continued?.needs], [undefined, [{ step: 'new_password' }]]);
    const done = expectStatus(200, await step(tenant, id, 'new-password', { flow_token, secret }));
    assert.equal(claimsOf(done.access_token ?? '').acr, 'aal2');
  });

  test('A wrong breached password is refused as usual, and a correct password that is not breached logs in', async () => {
    const tenant = await strict('lenient');
    const { identifier, password } = await tenant.createUser();
    const body = { identifier, secret: newBreached() };
    assert.equal(
      expectStatus(401, await tenant.request<ErrorBody>('POST', '/auth/login', { body })).code,
      'INVALID_CREDENTIALS',
    );
    assert.ok(await tenant.login(identifier, password));
  });
});

test('A list that is not sorted, or is not a list of hashes, is not built into a file of breached passwords', async () => {
  const folder = await temporaryDirectory('unfit');
  const source = join(folder, 'hashes.txt');
  const made = join(folder, 'made.bin');
  for (const [text, problem] of [
    [`${'B'.repeat(40)}:1\n${'A'.repeat(40)}:1\n`, 'Line 2 of .* is not sorted'],
    ['password\n', 'Line 1 of .* is not a SHA-1 hash'],
  ] as const) {
    await writeFile(source, text);
    const { code, stderr } = await runCommand(['passwords', 'build', source, made]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(problem));
  }
});
