import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tenantConfig } from '../../generated/facts.ts';
import {
  FIELDS_OF_CARDS,
  changeOf,
  isLastMethod,
  isMethodOf,
  methodStates,
  SIGN_IN_METHODS,
} from './methods.ts';

type Settings = Parameters<typeof methodStates>[0];

const NOTHING = { email_delivery: 'none', messaging: {}, providers: 0 } as const;
const EVERYTHING = {
  email_delivery: 'tenant',
  messaging: { sms: { provider: 'twilio' } },
  providers: 1,
} as const;

type Facilities = typeof NOTHING | typeof EVERYTHING;

function settings(
  config: Partial<Settings['config']>,
  issuer = 'https://id.example',
): Pick<Settings, 'issuer' | 'config'> {
  const defaults = Object.fromEntries(
    tenantConfig.map(({ name, byDefault = null }) => [name, byDefault]),
  );
  return { issuer, config: { ...defaults, ...config } as Settings['config'] };
}

const statesOf = (of: ReturnType<typeof settings>, { providers, ...messaging }: Facilities) =>
  methodStates({ ...of, ...messaging }, providers);

const needsOf = (...args: Parameters<typeof statesOf>) => {
  const states = statesOf(...args);
  return SIGN_IN_METHODS.map((method) => states[method].need?.what);
};

describe('the sign-in methods of the console', () => {
  it('Each method names what it needs before it can work', () => {
    const missing = [undefined, 'email', 'sms', 'passkey', 'provider'];
    assert.deepEqual(needsOf(settings({}, 'http://id.example'), NOTHING), missing);
    const ready = [undefined, undefined, undefined, undefined, undefined];
    assert.deepEqual(needsOf(settings({ sms_countries: ['DE'] }), EVERYTHING), ready);
    assert.equal(needsOf(settings({}), EVERYTHING)[2], 'countries');
    const noCodes = settings({ allowed_login_methods: ['password'], sms_countries: ['DE'] });
    assert.equal(needsOf(noCodes, EVERYTHING)[2], 'emailMethod');
  });

  it('Passkeys need a domain and a secure page', () => {
    for (const [issuer, need] of [
      ['https://id.example', undefined],
      ['http://localhost:8080', undefined],
      ['http://id.example', 'passkey'],
      ['https://192.0.2.1', 'passkey'],
      ['https://[2001:db8::1]', 'passkey'],
    ] as const) {
      assert.equal(needsOf(settings({}, issuer), EVERYTHING)[3], need, issuer);
    }
    const elsewhere = { passkey_origins: ['https://app.example'], passkey_rp_id: 'app.example' };
    assert.equal(needsOf(settings(elsewhere, 'http://192.0.2.1'), EVERYTHING)[3], undefined);
  });

  it('A method is the last one if no other method works', () => {
    const lastIn = (config: Partial<Settings['config']>, facilities: Facilities = NOTHING) => {
      const states = statesOf(settings(config, 'http://id.example'), facilities);
      return SIGN_IN_METHODS.filter(
        (method) => states[method].isOn && isLastMethod(states, method),
      );
    };
    assert.deepEqual(lastIn({}), ['password']);
    assert.deepEqual(lastIn({}, EVERYTHING), []);
    const codes = { allowed_login_methods: ['magic_link' as const], sms_countries: ['DE'] };
    assert.deepEqual(lastIn(codes, EVERYTHING), ['email']);
  });

  it('A change turns one method on or off and leaves the others', () => {
    const { config } = settings({ allowed_login_methods: ['password', 'oauth'] });
    assert.deepEqual(changeOf(config, 'email', true).allowed_login_methods, [
      'password',
      'oauth',
      'magic_link',
    ]);
    assert.deepEqual(changeOf(config, 'providers', false).allowed_login_methods, ['password']);
    assert.deepEqual(changeOf(config, 'sms', false), { sms_countries: [] });
  });

  it('A session shows the methods with which it was opened', () => {
    const sessions = [{ amr: ['pwd', 'otp'] }];
    assert.ok(isMethodOf('password', sessions) && !isMethodOf('passkey', sessions));
  });

  it('Each setting of sign-in is in exactly one card', () => {
    const shown = Object.values(FIELDS_OF_CARDS).flat();
    assert.deepEqual([...new Set(shown)], shown);
    const names = new Set(tenantConfig.map(({ name }) => name));
    assert.deepEqual(
      shown.filter((name) => !names.has(name)),
      [],
    );
    const ofSignIn =
      /^(magic_link|return_urls|require_|mfa_|passkey_|allow_registration|notify_|step_up|allow_account|password_|breached_|import_|sms_)/;
    const missing = [...names].filter((name) => ofSignIn.test(name) && !shown.includes(name));
    // The switch of the card changes it.
    assert.deepEqual(missing, ['require_mfa', 'allow_registration']);
  });
});
