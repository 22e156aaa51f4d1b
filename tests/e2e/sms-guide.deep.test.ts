// The guide to codes by SMS, pasted block by block into a shell against a service that sends them to a sink.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { OfferedFlow } from '@keywright/contract/records/login-flow';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { expectStatus } from '../harness/http.ts';
import { startKeywright } from '../harness/keywright.ts';
import { smsThrough, startSmsSink, textedTo } from '../harness/sms-sink.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ACCOUNT = 'AC0123456789';
const NUMBER = '+4915112000002';

type Answer = Readonly<Record<string, unknown>>;

test('The commands of the SMS guide send a test and a code, which logs a user in, and is a second factor once that is accepted', async (t) => {
  const sink = await startSmsSink();
  const keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  const { PATH = '', ...inherited } = inheritedEnvironment();
  const env = { ...inherited, PATH: `${ROOT}/node_modules/.bin:${PATH}` };
  const shell = new LongShell(env, await temporaryDirectory('guide'));
  t.after(async () => {
    await shell.close();
    await keywright.close();
    await sink.close();
  });
  const blocks = blocksOf('sms.md').filter(({ language }) => language === 'sh');
  const take = (text: string) => {
    const found = blocks.filter((block) => block.text.includes(text));
    assert.equal(found.length, 1, `one block has ${text}`);
    const [block] = blocks.splice(blocks.indexOf(found[0] as never), 1);
    return block;
  };
  const run = async (text: string): Promise<Answer> => {
    const output = await shell.run(take(text)?.text ?? '');
    return output === '' ? {} : (JSON.parse(output) as Answer);
  };

  const tenant = await keywright.tenant('texts');
  const token = await tenant.adminToken();
  const path = `/tenants/${tenant.id}`;
  // Replaces the URL of the provider with that of the sink.
  const { url } = smsThrough(sink);
  expectStatus(
    200,
    await tenant.request('PATCH', path, { token, body: { messaging: { sms: { url } } } }),
  );
  // Instead of the section "Before you start".
  for (const text of ['IDENTIFIER=', String.raw`\"$SECRET\"`]) take(text);
  await shell.run(`KEYWRIGHT=${keywright.url} TENANT=${tenant.id} TOKEN=${token}`);
  const choices = {
    ACCOUNT,
    ACCOUNT_TOKEN: 'hush, a token',
    SENDER: '+15005550006',
  };
  await shell.run(choicesIn(take('ACCOUNT_TOKEN='), choices));
  const { config, messaging } = await run('sms_countries');
  assert.deepEqual((config as Answer)['sms_countries'], ['DE', 'AT']);
  assert.equal((messaging as { sms: Answer }).sms['auth_token'], '********');
  await run('/messaging/test');
  const sent = await until('the test', () => sink.requests[0]);
  assert.ok(sent.path.includes(ACCOUNT) && sent.to === '+4915112000001');

  const { user, identifier, password } = await tenant.createUser();
  const identifiers = [
    { type: 'email', identifier, verified: true },
    { type: 'phone', identifier: NUMBER, verified: true },
  ];
  const verified = { token, body: { identifiers } };
  expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, verified));
  await shell.run(take('FLOW=$(')?.text ?? '');
  assert.equal((await run('/message '))['sent_to'], '+4…02');
  await shell.run(choicesIn(take('CODE='), { CODE: await textedTo(sink, NUMBER) }));
  const { access_token: access } = await run('/code ');
  assert.deepEqual(claimsOf(String(access)).amr, ['sms', 'otp']);

  const accepted = await run('mfa_methods');
  assert.deepEqual((accepted['config'] as Answer)['mfa_methods'], ['passkey', 'totp', 'sms']);
  const body = { config: { require_mfa: true } };
  expectStatus(200, await tenant.request('PATCH', path, { token, body }));
  const login = { body: { identifier, secret: password } };
  const refused = await tenant.request<{ flow: OfferedFlow }>('POST', '/auth/login', login);
  assert.deepEqual(refused.body.flow.needs, [{ step: 'message', channels: ['sms'] }]);
  assert.deepEqual(blocks, [], 'every block was run');
});
