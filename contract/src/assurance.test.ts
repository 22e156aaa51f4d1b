import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Freshness, isFresh, stepUpChallenge } from './assurance.ts';

const NOW = 10_000;

describe('a login', () => {
  const cases: readonly (readonly [demand: Freshness, login: object, isMet: boolean])[] = [
    [{}, {}, true],
    [{ maxAge: 300 }, { auth_time: NOW - 300 }, true],
    [{ maxAge: 300 }, { auth_time: NOW - 301 }, false],
    [{ maxAge: 300 }, {}, false],
    [{ maxAge: 300 }, { auth_time: String(NOW) }, false],
    [{ acr: 'aal1' }, { acr: 'aal1' }, true],
    [{ acr: 'aal1' }, {}, false],
    [{ acr: 'aal2' }, { acr: 'aal1' }, false],
    [{ acr: 'aal2' }, { acr: 'aal2' }, true],
    [{ acr: 'aal2' }, { acr: 'phr' }, true],
    [{ acr: 'phr' }, { acr: 'aal2' }, false],
    [{ acr: 'aal1' }, { acr: 'unknown' }, false],
    [{ acr: 'aal2', maxAge: 60 }, { acr: 'aal2', auth_time: NOW - 61 }, false],
    [{ acr: 'aal2', maxAge: 60 }, { acr: 'aal1', auth_time: NOW }, false],
  ];
  for (const [demand, login, isMet] of cases) {
    const [requirements, claims] = [JSON.stringify(demand), JSON.stringify(login)];
    test(`A login with the claims ${claims} ${isMet ? 'meets' : 'does not meet'} the requirements ${requirements}`, () => {
      assert.equal(isFresh(login, demand, NOW), isMet);
    });
  }
});

test('The step-up challenge names what is missing', () => {
  const error = 'Bearer error="insufficient_user_authentication"';
  assert.equal(stepUpChallenge({}), error);
  assert.equal(stepUpChallenge({ maxAge: 300 }), `${error}, max_age=300`);
  const both = `${error}, acr_values="aal2", max_age=0`;
  assert.equal(stepUpChallenge({ acr: 'aal2', maxAge: 0 }), both);
});
