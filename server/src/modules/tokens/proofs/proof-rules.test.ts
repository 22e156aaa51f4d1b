import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AgentTrust } from '@keywright/contract/records/agent-proofs';
import { endOf, isOnlyFor, jtiOf, rulesFlaw, timesFlaw, trustFits } from './assertions.ts';

const NOW = new Date('2026-03-01T12:00:00.500Z');
const SECONDS = Math.floor(NOW.getTime() / 1000);

describe('the times of an assertion', () => {
  const cases: readonly (readonly [claims: object, flaw: string | undefined])[] = [
    [{ exp: SECONDS + 1 }, undefined],
    [{ exp: SECONDS + 0.5 }, undefined],
    // The clock tolerance is 10 seconds.
    [{ exp: SECONDS - 9 }, undefined],
    [{ exp: SECONDS - 10 }, 'exp'],
    [{ exp: SECONDS + 310 }, undefined],
    [{ exp: SECONDS + 311 }, 'exp'],
    [{}, 'exp'],
    [{ exp: null }, 'exp'],
    [{ exp: `${SECONDS + 60}` }, 'exp'],
    [{ exp: Infinity }, 'exp'],
    [{ exp: -1 }, 'exp'],
    [{ exp: SECONDS + 60, nbf: SECONDS + 10 }, undefined],
    [{ exp: SECONDS + 60, nbf: SECONDS + 11 }, 'nbf'],
    [{ exp: SECONDS + 60, nbf: 'now' }, 'nbf'],
    [{ exp: SECONDS + 60, iat: SECONDS + 10 }, undefined],
    [{ exp: SECONDS + 60, iat: SECONDS + 11 }, 'iat'],
    [{ exp: SECONDS + 60, iat: {} }, 'iat'],
  ];
  for (const [claims, flaw] of cases) {
    test(`${JSON.stringify(claims)}: ${flaw ?? 'valid'}`, () => {
      assert.equal(timesFlaw({ ...claims }, NOW, 300), flaw);
    });
  }
});

test('An assertion has exactly one audience', () => {
  for (const aud of ['us', ['us']]) assert.equal(isOnlyFor(aud, ['us', 'them']), true);
  for (const aud of ['', 'you', ['us', 'them'], ['us', 'us'], [], [['us']], {}, undefined, null]) {
    assert.equal(isOnlyFor(aud, ['us']), false, JSON.stringify(aud));
  }
});

test('A used assertion is remembered until it expires, whatever the clock of its issuer', () => {
  const exp = 1_800_000_000;
  const end = endOf({ exp });
  assert.equal(timesFlaw({ exp }, end), 'exp');
  assert.ok(end.getTime() >= (exp + 20) * 1000);
});

test('A jti is a string of limited length', () => {
  assert.equal(jtiOf({ jti: 'a' }), 'a');
  for (const jti of ['', 'a'.repeat(257), 7, null, {}, undefined]) {
    assert.equal(jtiOf({ jti }), undefined, JSON.stringify(jti));
  }
});

const GITHUB = 'https://token.actions.githubusercontent.com';
const TOKEN = {
  iss: GITHUB,
  aud: 'https://id.example.com',
  sub: 'repo:octo/garden:ref:refs/heads/main',
  repository: 'octo/garden',
  ref: 'refs/heads/main',
  run_attempt: 1,
  protected: true,
  teams: ['gardeners'],
};
const TRUST: AgentTrust = { issuer: GITHUB, audience: 'https://id.example.com' };

describe('a token matches a trust', () => {
  const fits: readonly Partial<AgentTrust>[] = [
    { subject: TOKEN.sub },
    { claims: { repository: 'octo/garden' } },
    { claims: { repository: 'octo/garden', ref: ['refs/heads/main', 'refs/heads/next'] } },
    { subject: TOKEN.sub, claims: { run_attempt: [1, 2], protected: true } },
  ];
  for (const rules of fits) {
    test(`A token matches a trust of ${JSON.stringify(rules)}`, () => {
      assert.equal(trustFits({ ...TRUST, ...rules }, TOKEN), true);
    });
  }
});

describe('a token does not match a trust', () => {
  const misfits: readonly Partial<AgentTrust>[] = [
    { issuer: `${GITHUB}/`, subject: TOKEN.sub },
    { audience: 'https://id.example.co', subject: TOKEN.sub },
    { subject: 'repo:octo/garden:*' },
    { subject: 'repo:octo/garden' },
    { subject: TOKEN.sub.toUpperCase() },
    { claims: { repository: 'octo/gard' } },
    { claims: { repository: ['octo/lawn', 'octo/garden2'] } },
    { claims: { repository: 'octo/garden', ref: 'refs/heads/next' } },
    { claims: { actor: 'octo' } },
    { claims: { run_attempt: '1' } },
    { claims: { protected: 'true' } },
    { claims: { teams: 'gardeners' } },
    { claims: { toString: 'x' } },
    { subject: TOKEN.sub, claims: { ref: 'refs/heads/next' } },
  ];
  for (const rules of misfits) {
    test(`A token does not match a trust of ${JSON.stringify(rules)}`, () => {
      assert.equal(trustFits({ ...TRUST, ...rules }, TOKEN), false);
    });
  }

  test('A token with a second audience, or without an audience, issuer or subject, does not match a trust', () => {
    const trust = { ...TRUST, subject: TOKEN.sub };
    const { sub: _, ...withoutSubject } = TOKEN;
    for (const token of [
      { ...TOKEN, aud: [TRUST.audience, 'https://other.example.com'] },
      { ...TOKEN, aud: undefined },
      { ...TOKEN, iss: undefined },
    ]) {
      assert.equal(trustFits(trust, token), false);
    }
    assert.equal(trustFits({ ...TRUST, claims: { ref: TOKEN.ref } }, withoutSubject), false);
  });
});

describe('the rules of a trust', () => {
  test('The rules of a trust must name a subject, directly or through claims', () => {
    const clusterIssuer = 'https://oidc.example.com/cluster';
    assert.match(rulesFlaw(TRUST) ?? '', /subject/);
    assert.match(rulesFlaw({ ...TRUST, claims: {} }) ?? '', /subject/);
    assert.match(rulesFlaw({ ...TRUST, issuer: clusterIssuer, claims: {} }) ?? '', /subject/);
    assert.equal(rulesFlaw({ ...TRUST, subject: TOKEN.sub }), undefined);
    assert.equal(rulesFlaw({ ...TRUST, claims: { repository_id: '7' } }), undefined);
    assert.equal(rulesFlaw({ ...TRUST, claims: { sub: [TOKEN.sub] } }), undefined);
    assert.equal(rulesFlaw({ ...TRUST, issuer: clusterIssuer, claims: { ref: 'x' } }), undefined);
  });

  test('The rules of a trust must restrict the subject if its issuer signs for every account', () => {
    for (const issuer of [
      GITHUB,
      `${GITHUB}/`,
      'https://gitlab.com',
      'https://accounts.google.com',
    ]) {
      const flaw = rulesFlaw({ ...TRUST, issuer, claims: { ref: 'refs/heads/main' } });
      assert.match(flaw ?? '', /anyone can get tokens from this issuer/);
    }
  });
});
