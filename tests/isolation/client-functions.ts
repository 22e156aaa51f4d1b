import assert from 'node:assert/strict';
import { type Check, NOW, RECORDED, type Tested } from './function-check.ts';
import { callOf } from './login-functions.ts';
import type { Seeded } from './seed.ts';

const LATER = new Date('2026-01-20T00:00:00Z');

/** Makes the sessions of both tenants those of browsers. */
function inBrowsers({ own, foreign, asOwner }: Tested): Promise<unknown> {
  const ids = [own, foreign].map(({ sessionId }) => `'${sessionId}'`).join(', ');
  return asOwner(`UPDATE sessions SET kind = 'browser', refresh_kid = NULL WHERE id IN (${ids})`);
}

function asBefore({ foreign: { sessionId }, asOwner }: Tested): Promise<unknown> {
  return asOwner(`UPDATE sessions SET kind = 'api', refresh_kid = 'kid' WHERE id = '${sessionId}'`);
}

/** A code of the own tenant that names what another one has, or nothing foreign. */
interface Code {
  readonly where: Seeded;
  readonly user?: Seeded;
  readonly login?: Seeded;
  readonly consent?: Seeded;
}

/** The arguments of kw_redeem_codes. */
function redeemed(codes: readonly Code[]): unknown[] {
  const ofEach = <T>(one: T) => codes.map(() => one);
  const consentOf = ({ tenantId }: Seeded) => `cns_${tenantId}`;
  return [
    codes.map(({ where }) => where.tenantId),
    codes.map((_, index) => `session:client ${index}`),
    codes.map(({ where }) => `client_${where.tenantId}`),
    codes.map(({ where, user = where }) => user.userId),
    codes.map(({ where }) => where.workspaceId),
    codes.map(({ where, login = where }) => login.sessionId),
    ofEach(null),
    codes.map(({ where, consent = where }) => consentOf(consent)),
    ofEach(1),
    codes.map((_, index) => Buffer.from(`code ${index}`)),
    ofEach('openid'),
    ofEach(null),
    ofEach('192.0.2.1'),
    ofEach(NOW),
    ofEach(LATER),
    ofEach(LATER),
    ofEach(Buffer.from('new')),
    ofEach('kid'),
    ofEach(50),
    codes.map((_, index) => RECORDED.replace('aud_new', `aud_new_${index}`)),
    ofEach('[]'),
    ofEach(null),
  ];
}

/** The functions that logins of applications go through. */
export const CLIENT_FUNCTIONS: Readonly<Record<string, Check>> = {
  kw_find_browser_session: async (tested) => {
    const { own, foreign, rows } = tested;
    const find = async (whose: Seeded) => {
      const call = 'kw_find_browser_session($1, $2, $3, $4, $5)';
      const client = `client_${whose.tenantId}`;
      const given = [own.tenantId, whose.sessionId, whose.refreshHash, client, NOW];
      const found = await rows(call, ...given);
      return found.map((row) => [row['user_id'], row['consent_id']]);
    };
    assert.deepEqual(await find(own), [], 'the secret of another kind of session');
    await inBrowsers(tested);
    assert.deepEqual(await find(own), [[own.userId, `cns_${own.tenantId}`]]);
    assert.deepEqual(await find(foreign), []);
    await asBefore(tested);
  },

  kw_redeem_codes: async (tested) => {
    const { own, foreign, rows } = tested;
    const redeem = async (...codes: readonly Code[]) => {
      const values = redeemed(codes);
      const found = await rows(callOf('kw_redeem_codes', values), ...values);
      return found.map(({ outcome }) => outcome);
    };
    assert.deepEqual(await redeem({ where: own }), ['refused'], 'no session of a browser');
    await inBrowsers(tested);
    const outcomes = await redeem(
      { where: own },
      { where: own, user: foreign },
      { where: own, login: foreign },
      { where: own, consent: foreign },
    );
    assert.deepEqual(outcomes, ['opened', 'refused', 'refused', 'refused']);
    assert.deepEqual(await redeem({ where: own }), ['used']);
    await asBefore(tested);
  },
};
