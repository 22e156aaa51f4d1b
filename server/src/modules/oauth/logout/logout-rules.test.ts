import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SessionId } from '@keywright/contract/ids';
import { judgeLogout } from './logout-rules.ts';

const LOGIN = { sessionId: 'session:01m8184fs0eaf81caj1xgnzy8b' as SessionId };
const BYE = new URL('https://app.example.com/bye');

/** The login, the hint, and whether the address is registered; the verdict, and whether it has the address. */
const CASES = [
  ['in', 'this login', true, 'leave', true],
  ['in', 'this login', false, 'ask', false],
  ['in', 'another login', true, 'ask', true],
  ['in', 'another login', false, 'ask', false],
  ['in', 'unverified', true, 'ask', false],
  ['in', undefined, true, 'ask', true],
  ['in', undefined, false, 'ask', false],
  ['out', 'another login', true, 'leave', true],
  ['out', 'another login', false, 'over', false],
  ['out', 'unverified', true, 'over', false],
  ['out', undefined, true, 'over', true],
  ['out', undefined, false, 'over', false],
] as const;

describe('the verdict on a logout request', () => {
  for (const [who, hint, matchesRedirectUri, kind, returns] of CASES) {
    const title = `A request, logged ${who}, ID token of ${hint ?? 'none'}, address ${matchesRedirectUri ? '' : 'un'}registered: ${kind}`;
    test(title, () => {
      const login = who === 'in' ? LOGIN : undefined;
      const verdict = judgeLogout({
        login,
        hint,
        returnsTo: matchesRedirectUri ? BYE : undefined,
        isVetted: true,
      });
      assert.equal(verdict.kind, kind);
      const to = verdict.kind === 'leave' ? verdict.to : verdict.returnsTo;
      assert.equal(to, returns ? BYE : undefined);
    });
  }

  test('A request returns without a page to an application that registered itself only with an ID token of this login', () => {
    const returnsTo = BYE;
    const kindOf = (login: typeof LOGIN | undefined, hint: 'this login' | 'another login') =>
      judgeLogout({ login, hint, returnsTo, isVetted: false }).kind;
    assert.equal(kindOf(LOGIN, 'this login'), 'leave');
    assert.equal(kindOf(LOGIN, 'another login'), 'ask');
    assert.equal(kindOf(undefined, 'another login'), 'over');
  });
});
