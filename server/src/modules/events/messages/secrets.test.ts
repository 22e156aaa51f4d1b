import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
  challengeOfLink,
  isRightCode,
  isRightLinkToken,
  type MessageSecrets,
  messageSecrets,
  newChallengeId,
} from './message-secrets.ts';

const KEY = Buffer.alloc(32, 7);
const CHALLENGE = { id: 'chl_01m817qnm0e599bza8yqh63kxq', kind: 'login' };

test('A challenge has one code of 8 digits and one link of 256 bits', () => {
  const { code, linkToken } = messageSecrets(KEY, CHALLENGE);
  assert.match(code, /^[0-9]{8}$/);
  assert.match(linkToken, /^chl_01m817qnm0e599bza8yqh63kxq\.[A-Za-z0-9_-]{43}$/);
  assert.deepEqual(messageSecrets(Buffer.from(KEY), { ...CHALLENGE }), { code, linkToken });
  assert.equal(challengeOfLink(linkToken), CHALLENGE.id);
});

test('A challenge that started while codes were being guessed has a code of 10 digits', () => {
  const [long, short] = [
    newChallengeId('email', { isLong: true }),
    newChallengeId('email', { isLong: false }),
  ];
  const challenge = { id: long, kind: 'login' };
  const { code, linkToken } = messageSecrets(KEY, challenge);
  assert.match(code, /^[0-9]{10}$/);
  assert.ok(isRightCode(KEY, challenge, code) && !isRightCode(KEY, challenge, code.slice(2)));
  assert.equal(challengeOfLink(linkToken), long);
  assert.match(messageSecrets(KEY, { id: short, kind: 'login' }).code, /^[0-9]{8}$/);
});

test('Another key, challenge or kind has different message secrets', () => {
  const others = [
    messageSecrets(Buffer.alloc(32, 8), CHALLENGE),
    messageSecrets(KEY, { ...CHALLENGE, id: 'chl_01m817qnm0e599bza8yqh63kxr' }),
    messageSecrets(KEY, { ...CHALLENGE, kind: 'recovery' }),
  ];
  const all: MessageSecrets[] = [messageSecrets(KEY, CHALLENGE), ...others];
  assert.equal(new Set(all.map(({ code }) => code)).size, 4);
  assert.equal(new Set(all.map(({ linkToken }) => linkToken.split('.')[1])).size, 4);
});

test('The exact code and link of a message are accepted, and nothing else is', () => {
  const { code, linkToken } = messageSecrets(KEY, CHALLENGE);
  assert.ok(isRightCode(KEY, CHALLENGE, code));
  assert.ok(isRightLinkToken(KEY, CHALLENGE, linkToken));
  const wrong = [
    '',
    code.slice(1),
    `${code}0`,
    ` ${code}`,
    code.replace(/./, (digit) => String((Number(digit) + 1) % 10)),
    // Full-width digits.
    code.replaceAll(/./g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    linkToken,
  ];
  for (const attempt of wrong) assert.ok(!isRightCode(KEY, CHALLENGE, attempt), attempt);
  for (const attempt of ['', code, linkToken.slice(0, -1), `${linkToken}A`]) {
    assert.ok(!isRightLinkToken(KEY, CHALLENGE, attempt), attempt);
    assert.equal(challengeOfLink(attempt), undefined);
  }
});

test('The codes of messages are spread evenly over all 8 digits', () => {
  const first = Array.from({ length: 10 }, () => 0);
  for (let index = 0; index < 4000; index += 1) {
    const { code } = messageSecrets(KEY, { ...CHALLENGE, id: randomBytes(16).toString('hex') });
    first[Number(code[0])] = (first[Number(code[0])] ?? 0) + 1;
  }
  // 400 each; six standard deviations.
  for (const count of first) assert.ok(Math.abs(count - 400) < 114, first.join(' '));
});
