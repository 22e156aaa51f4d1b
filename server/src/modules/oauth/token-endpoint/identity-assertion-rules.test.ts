import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OAuthClientId } from '@keywright/contract/ids';
import { decideAssertion, readAssertion } from './identity-assertions.ts';

const CHAT = {
  issuer: 'https://login.chat.example',
  client_id: 'f53f191f9311af35',
  resources: ['https://api.chat.example/', 'https://files.chat.example/'],
  scopes: ['chat.read', 'chat.write'],
};
const MAIL = { issuer: 'https://mail.example/', client_id: 'us', resources: [], scopes: [] };
const SINGLE = { ...MAIL, issuer: 'https://one.example/', resources: ['https://api.one.example/'] };

describe('the assertions that administrators allow', () => {
  const decide = (audience: unknown, more: object = {}) =>
    decideAssertion([CHAT, MAIL, SINGLE], {
      ...(audience === undefined ? {} : { audience: audience as string }),
      ...more,
    });
  const resource = CHAT.resources[0];

  test('An assertion is for an audience that is listed, character by character', () => {
    const others = [undefined, '', 'https://login.chat.example/', 'https://evil.example'];
    for (const audience of [...others, [CHAT.issuer, MAIL.issuer], [CHAT.issuer, CHAT.issuer]]) {
      assert.equal(decide(audience, { resource }), 'audience', String(audience));
    }
    const found = decide(CHAT.issuer, { resource });
    assert.deepEqual(found, { audience: CHAT, resource, scopes: CHAT.scopes });
  });

  test('An assertion is for one resource of the audience, if it has any; the only one need not be named', () => {
    assert.equal(decide(CHAT.issuer), 'resource');
    assert.equal(decide(CHAT.issuer, { resource: 'https://api.chat.example' }), 'resource');
    assert.equal(decide(CHAT.issuer, { resource: CHAT.resources }), 'resource');
    assert.equal(decide(MAIL.issuer, { resource }), 'resource');
    assert.deepEqual(decide(MAIL.issuer), { audience: MAIL, resource: undefined, scopes: [] });
    const [only] = SINGLE.resources;
    assert.deepEqual(decide(SINGLE.issuer), { audience: SINGLE, resource: only, scopes: [] });
  });

  test('An assertion has at most the scopes of the audience', () => {
    const read = decide(CHAT.issuer, { resource, scope: 'chat.read chat.read' });
    assert.deepEqual(read, { audience: CHAT, resource, scopes: ['chat.read'] });
    for (const scope of ['chat.delete', 'chat.read openid', 'CHAT.READ']) {
      assert.equal(decide(CHAT.issuer, { resource, scope }), 'scope', scope);
    }
    assert.equal(decide(MAIL.issuer, { scope: 'chat.read' }), 'scope');
  });
});

describe('an assertion', () => {
  const NOW = new Date('2026-11-26T12:00:00Z');
  const seconds = NOW.getTime() / 1000;
  const expected = {
    issuer: 'https://id.example.com/t/org_chat',
    clientId: 'client_chat' as OAuthClientId,
    jkt: undefined as string | undefined,
  };
  const CLAIMS = {
    iss: 'https://idp.example',
    sub: 'U019488227',
    aud: expected.issuer,
    client_id: expected.clientId,
    jti: 'one',
    iat: seconds,
    exp: seconds + 300,
    scope: 'chat.read chat.write',
    resource: 'https://api.chat.example/',
    auth_time: seconds - 60,
  };
  const read = (
    claims: object,
    { typ = 'oauth-id-jag+jwt', jkt = undefined as string | undefined } = {},
  ) => readAssertion({ typ, claims: { ...CLAIMS, ...claims } }, { ...expected, jkt }, NOW);
  const refusal = (...args: Parameters<typeof read>) => {
    const found = read(...args);
    return 'refusal' in found ? found.refusal : 'none';
  };

  test('An assertion has the user, the client, and the scopes', () => {
    assert.deepEqual(read({}), {
      issuer: CLAIMS.iss,
      subject: CLAIMS.sub,
      jti: 'one',
      scopes: ['chat.read', 'chat.write'],
      resource: CLAIMS.resource,
      authTime: seconds - 60,
    });
    const little = read({ scope: undefined, resource: undefined, auth_time: undefined });
    assert.ok(!('refusal' in little));
    const { scopes, resource, authTime } = little;
    assert.deepEqual([scopes, resource, authTime], [undefined, undefined, seconds]);
    for (const at of ['yesterday', -1, seconds + 3600, 1.5]) {
      const result = read({ auth_time: at });
      assert.equal('authTime' in result && result.authTime, seconds, String(at));
    }
  });

  test('An assertion has its own type', () => {
    for (const typ of ['jwt', 'at+jwt', 'logout+jwt', 'rt+jwt', 'dpop+jwt', '']) {
      assert.equal(refusal({}, { typ }), 'typ', typ);
    }
  });

  const flaws: readonly (readonly [object, string])[] = [
    [{ iss: undefined }, 'iss'],
    [{ iss: [CLAIMS.iss] }, 'iss'],
    [{ iss: expected.issuer }, 'iss'],
    [{ aud: 'https://other.example' }, 'aud'],
    [{ aud: `${expected.issuer}/` }, 'aud'],
    [{ aud: [expected.issuer] }, 'aud'],
    [{ aud: [expected.issuer, 'https://other.example'] }, 'aud'],
    [{ aud: `${expected.issuer}/auth/token` }, 'aud'],
    [{ client_id: 'client_other' }, 'client_id'],
    [{ client_id: undefined }, 'client_id'],
    [{ client_id: [expected.clientId] }, 'client_id'],
    [{ sub: undefined }, 'sub'],
    [{ sub: 7 }, 'sub'],
    [{ sub: '' }, 'sub'],
    [{ sub: 'x'.repeat(256) }, 'sub'],
    [{ exp: undefined }, 'exp'],
    [{ exp: seconds - 10 }, 'exp'],
    [{ exp: seconds + 311 }, 'exp'],
    [{ iat: undefined }, 'iat'],
    [{ iat: seconds + 60 }, 'iat'],
    [{ nbf: seconds + 60 }, 'nbf'],
    [{ jti: undefined }, 'jti'],
    [{ jti: '' }, 'jti'],
    [{ jti: 7 }, 'jti'],
    [{ scope: ['chat.read'] }, 'scope'],
    [{ scope: 'x'.repeat(8193) }, 'scope'],
    [{ resource: ['https://api.chat.example/'] }, 'resource'],
    [{ cnf: { jkt: 'mine' } }, 'cnf'],
    [{ cnf: { 'x5t#S256': 'mine' } }, 'cnf'],
    [{ cnf: 'mine' }, 'cnf'],
  ];
  for (const [claims, reason] of flaws) {
    test(`An assertion is refused with ${JSON.stringify(claims).slice(0, 80)}: ${reason}`, () => {
      assert.equal(refusal(claims), reason);
    });
  }

  test('An assertion that is bound to a key needs that key', () => {
    assert.equal(refusal({ cnf: { jkt: 'mine' } }, { jkt: 'mine' }), 'none');
    assert.equal(refusal({ cnf: { jkt: 'mine' } }, { jkt: 'other' }), 'cnf');
    assert.equal(refusal({}, { jkt: 'other' }), 'none');
  });
});
