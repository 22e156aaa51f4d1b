import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  HOME,
  newSending,
  startWithChallenges,
  type WithChallenges,
} from '@keywright/tests/harness/challenges';
import type { Tenant } from '../../../tenancy/tenant.ts';

let service: WithChallenges;
let challenges: WithChallenges['nodes'][number];

before(async () => {
  service = await startWithChallenges({ clock: 'fake' });
  [challenges] = service.nodes as [typeof challenges];
});
after(() => service.keywright.close());

const advance = (seconds: number) => service.keywright.clock.advance(seconds);
const WRONG = '00000000x';

async function sent(fields: Parameters<typeof newSending>[0] = {}) {
  const sending = newSending(fields);
  assert.equal(await challenges.send(HOME, sending), 'sent');
  return { sending, ...(await service.secretsOf(sending.flowId)) };
}

/** The outcomes of as many wrong codes. */
async function guess(sending: ReturnType<typeof newSending>, count: number) {
  const outcomes: unknown[] = [];
  for (let index = 0; index < count; index += 1) {
    outcomes.push(await challenges.redeemCode(HOME, sending, WRONG));
  }
  return outcomes;
}

const wrong = (guessesLeft: number) => ({ outcome: 'wrong', guessesLeft });
const ENDED = { outcome: 'ended' };

test('The code in a message proves its user once, and then the link proves nothing', async () => {
  const { sending, code, linkToken } = await sent();
  const proven = { outcome: 'proven', shown: sending.user };
  assert.deepEqual(await challenges.redeemCode(HOME, sending, code), proven);
  assert.deepEqual(await challenges.redeemCode(HOME, sending, code), ENDED);
  assert.equal(await challenges.redeemLink(HOME, sending, linkToken), undefined);
});

test('The link in a message proves its user once, and then the code proves nothing', async () => {
  const { sending, code, linkToken } = await sent();
  assert.deepEqual(await challenges.redeemLink(HOME, sending, linkToken), sending.user);
  assert.equal(await challenges.redeemLink(HOME, sending, linkToken), undefined);
  assert.deepEqual(await challenges.redeemCode(HOME, sending, code), ENDED);
});

test('Five codes of a flow are compared, and neither a resend nor a new code allows more', async () => {
  const { sending, code, linkToken } = await sent();
  assert.deepEqual(await guess(sending, 2), [wrong(4), wrong(3)]);
  advance(31);
  assert.equal(await challenges.send(HOME, sending), 'sent');
  assert.deepEqual(await service.secretsOf(sending.flowId), { code, linkToken });
  assert.deepEqual(await guess(sending, 1), [wrong(2)]);
  advance(601);
  assert.equal(await challenges.send(HOME, sending), 'sent');
  const later = await service.secretsOf(sending.flowId);
  assert.notEqual(later.code, code);
  assert.deepEqual(await guess(sending, 3), [wrong(1), wrong(0), ENDED]);
  assert.deepEqual(await challenges.redeemCode(HOME, sending, later.code), ENDED);
  advance(31);
  assert.equal(await challenges.send(HOME, sending), 'exhausted');
});

test('Short codes of a recipient are not compared after 20 wrong ones in an hour, and new ones are long', async () => {
  const identifier = 'over-flows@example.org';
  const earlier = await sent({ identifier });
  for (let flow = 0; flow < 4; flow += 1) {
    const { sending } = await sent({ identifier });
    assert.deepEqual(await guess(sending, 5), [wrong(4), wrong(3), wrong(2), wrong(1), wrong(0)]);
  }
  const late = await challenges.redeemCode(HOME, earlier.sending, earlier.code);
  assert.equal(late.outcome, 'throttled');
  const { sending, code } = await sent({ identifier });
  assert.match(code, /^[0-9]{10}$/);
  assert.equal((await challenges.redeemCode(HOME, sending, code)).outcome, 'proven');
  assert.match((await sent()).code, /^[0-9]{8}$/, 'of another recipient');
});

test('A code or link proves nothing in another flow, for another purpose, in another tenant, or once expired', async () => {
  const { sending, code, linkToken } = await sent();
  const other = await sent();
  assert.deepEqual(await challenges.redeemCode(HOME, other.sending, code), wrong(4));
  assert.equal(await challenges.redeemLink(HOME, other.sending, linkToken), undefined);
  const recovery = { ...sending, kind: 'recovery' } as const;
  assert.deepEqual(await challenges.redeemCode(HOME, recovery, code), ENDED);
  assert.equal(await challenges.redeemLink(HOME, recovery, linkToken), undefined);
  const tenant = await service.keywright.tenant('challenged');
  const elsewhere = { id: tenant.id } as Tenant;
  assert.deepEqual(await challenges.redeemCode(elsewhere, sending, code), ENDED);
  assert.equal(await challenges.redeemLink(elsewhere, sending, linkToken), undefined);
  advance(600);
  assert.deepEqual(await challenges.redeemCode(HOME, sending, code), ENDED);
  assert.equal(await challenges.redeemLink(HOME, sending, linkToken), undefined);
});

test('A message that is sent again after a change of credentials has another code, and the earlier one is wrong', async () => {
  const { sending, code } = await sent();
  const { userId } = sending.user ?? assert.fail();
  const changed = { ...sending, user: { userId, authVersion: 1 } };
  advance(31);
  assert.equal(await challenges.send(HOME, changed), 'sent');
  assert.deepEqual(await challenges.redeemCode(HOME, changed, code), wrong(4));
  const { code: later } = await service.secretsOf(sending.flowId);
  const proven = { outcome: 'proven', shown: changed.user };
  assert.deepEqual(await challenges.redeemCode(HOME, changed, later), proven);
});

test('An unknown identifier gets the same outcomes, and even the right code belongs to no user', async () => {
  const { sending, code, linkToken } = await sent({ user: undefined });
  assert.deepEqual(await guess(sending, 2), [wrong(4), wrong(3)]);
  assert.deepEqual(await challenges.redeemCode(HOME, sending, code), { outcome: 'used' });
  assert.equal(await challenges.redeemLink(HOME, sending, linkToken), undefined);
  assert.deepEqual(await challenges.send(HOME, sending), { retryAfterSeconds: 30 });
});

test('New codes of a tenant have 10 digits after 200 wrong ones in an hour, and earlier ones remain', async () => {
  const { id } = await service.keywright.tenant('guessed');
  const guessed = { id } as Tenant;
  const sendCode = async () => {
    const sending = newSending();
    assert.equal(await challenges.send(guessed, sending), 'sent');
    const { code } = await service.secretsOf(sending.flowId, guessed.id);
    return { sending, code };
  };
  const fail = async (sending: ReturnType<typeof newSending>, count: number) => {
    for (let index = 0; index < count; index += 1) {
      assert.equal((await challenges.redeemCode(guessed, sending, WRONG)).outcome, 'wrong');
    }
  };
  const earlier = await sendCode();
  for (let index = 0; index < 40; index += 1) await fail((await sendCode()).sending, 5);
  advance(11);
  const last = await sendCode();
  assert.match(last.code, /^[0-9]{8}$/, '200 are mistyped');
  await fail(last.sending, 1);
  advance(11);
  const longer = await sendCode();
  assert.match(longer.code, /^[0-9]{10}$/);
  assert.match((await sent()).code, /^[0-9]{8}$/, 'in another tenant');
  await fail(longer.sending, 1);
  for (const { sending, code } of [earlier, longer]) {
    assert.equal((await challenges.redeemCode(guessed, sending, code)).outcome, 'proven');
  }
  advance(31);
  assert.equal(await challenges.send(guessed, last.sending), 'sent');
  assert.equal((await service.secretsOf(last.sending.flowId, guessed.id)).code, last.code);
  advance(3600);
  assert.match((await sendCode()).code, /^[0-9]{8}$/, 'an hour later');
});

test('The database stores neither the code nor the link', async () => {
  const { sending, code, linkToken } = await sent();
  const rows = await service.keywright.database.query(
    `SELECT to_jsonb(c) || to_jsonb(m) AS stored FROM challenges c
       JOIN messages m ON m.challenge_id = c.id WHERE c.flow_id = $1`,
    [sending.flowId],
  );
  const stored = JSON.stringify(rows);
  assert.equal(rows.length, 1);
  const secret = linkToken.split('.')[1] ?? assert.fail();
  for (const text of [code, secret, sending.identifier]) assert.ok(!stored.includes(text), text);
});
