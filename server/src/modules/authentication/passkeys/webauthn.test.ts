import { describe, test } from 'node:test';
import assert from 'node:assert/strict';
import { Aaguid } from '@keywright/contract/records/origins';
import type { PasskeyAssertion } from '@keywright/contract/records/passkey';
import { FLAG, type Odd, TestPasskey } from '@keywright/tests/harness/passkey';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import { Check } from 'typebox/value';
import {
  AUTHENTICATOR_NAMES,
  authenticatorName,
  readClientData,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts';

const PARTY = { id: 'id.example.com', origins: ['https://id.example.com'] };
const CHALLENGE = 'Y2hhbGxlbmdl';
const HANDLE = Buffer.alloc(32, 7).toString('base64url');
const CONFIG = { passkey_attestation: 'none', passkey_aaguids: [] } as const;

async function registered(algorithm: -7 | -8 | -257) {
  const passkey = new TestPasskey({ algorithm });
  const user = { id: HANDLE };
  const created = passkey.create({ challenge: CHALLENGE, rp: PARTY, user });
  const rules = {
    party: PARTY,
    isChallenge: () => true,
    config: { ...CONFIG, passkey_aaguids: [] },
  };
  const stored = await verifyRegistration(created, rules);
  assert.ok(stored);
  return { passkey, stored: { ...stored, userHandle: Buffer.from(HANDLE, 'base64url') } };
}

type Registered = Awaited<ReturnType<typeof registered>>;

function ours(assertion: PasskeyAssertion, { stored }: Registered): boolean {
  const clientData = readClientData(assertion.response.clientDataJSON, 'webauthn.get', PARTY);
  if (clientData?.challenge !== CHALLENGE) return false;
  const expected = { clientData, party: PARTY, passkey: stored, isUserProven: false };
  return verifyAssertion(assertion, expected) !== undefined;
}

async function theirs(assertion: PasskeyAssertion, { stored }: Registered): Promise<boolean> {
  const { userHandle, ...response } = assertion.response;
  try {
    const { verified } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        clientExtensionResults: {},
        response: { ...response, ...(typeof userHandle === 'string' && { userHandle }) },
      },
      expectedChallenge: CHALLENGE,
      expectedOrigin: [...PARTY.origins],
      expectedRPID: PARTY.id,
      requireUserVerification: true,
      credential: {
        id: stored.credentialId.toString('base64url'),
        publicKey: Uint8Array.from(stored.coseKey),
        counter: 0,
      },
    });
    return verified;
  } catch {
    return false;
  }
}

const options = { challenge: CHALLENGE, rpId: PARTY.id };
const withResponse = (
  assertion: PasskeyAssertion,
  change: Partial<PasskeyAssertion['response']>,
): PasskeyAssertion => ({ ...assertion, response: { ...assertion.response, ...change } });
const flipped = (text: string, at: number) => {
  const bytes = Buffer.from(text, 'base64url');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64url');
};
const odd = (what: Odd) => (passkey: TestPasskey) => passkey.get(options, what);

/**
 * The verdicts of the service and of the library. The library accepts frames on other sites, does not check user
 * handles, and does not know the registration.
 */
const CASES: Readonly<
  Record<
    string,
    readonly [(passkey: TestPasskey) => PasskeyAssertion, ours: boolean, theirs: boolean]
  >
> = {
  'as it was made': [odd({}), true, true],
  'with another challenge': [
    (passkey) => passkey.get({ ...options, challenge: 'b3RoZXI' }),
    false,
    false,
  ],
  'of another origin': [odd({ origin: 'https://evil.example' }), false, false],
  'of another domain': [odd({ rpId: 'evil.example' }), false, false],
  'of another ceremony': [odd({ clientData: { type: 'webauthn.create' } }), false, false],
  'without user presence': [odd({ flags: FLAG.uv }), false, false],
  'without user verification': [odd({ flags: FLAG.up }), false, false],
  'backed up although it cannot be': [odd({ flags: FLAG.up | FLAG.uv | FLAG.bs }), false, false],
  'with another signature': [
    (passkey) => {
      const good = passkey.get(options);
      return withResponse(good, { signature: flipped(good.response.signature, 12) });
    },
    false,
    false,
  ],
  'of another key': [
    (passkey) =>
      passkey.get(options, { key: new TestPasskey({ algorithm: passkey.algorithm }).key }),
    false,
    false,
  ],
  'with another counter than was signed': [
    (passkey) => {
      const good = passkey.get(options);
      return withResponse(good, {
        authenticatorData: flipped(good.response.authenticatorData, 36),
      });
    },
    false,
    false,
  ],
  'with client data that was changed': [
    (passkey) => {
      const text = Buffer.from(
        passkey.get(options).response.clientDataJSON,
        'base64url',
      ).toString();
      const clientDataJSON = Buffer.from(`${text} `).toString('base64url');
      return withResponse(passkey.get(options), { clientDataJSON });
    },
    false,
    false,
  ],
  'with more data than it says': [odd({ trailing: Buffer.from([0]) }), false, false],
  'with client data that is no JSON': [
    (passkey) => withResponse(passkey.get(options), { clientDataJSON: 'e30x' }),
    false,
    false,
  ],
  'with another id than it names': [
    (passkey) => ({ ...passkey.get(options), rawId: 'b3RoZXI' }),
    false,
    false,
  ],
  'of a frame on another site': [odd({ clientData: { crossOrigin: true } }), false, true],
  'that names a page around it': [
    odd({ clientData: { topOrigin: 'https://evil.example' } }),
    false,
    false,
  ],
  'of another user': [odd({ userHandle: 'b3RoZXI' }), false, true],
  'eligible for backup, which it was not': [
    odd({ flags: FLAG.up | FLAG.uv | FLAG.be }),
    false,
    true,
  ],
};

for (const algorithm of [-7, -8, -257] as const) {
  describe(`an assertion by algorithm ${algorithm}`, () => {
    for (const [what, [make, mine, library]] of Object.entries(CASES)) {
      test(`${what} is ${mine ? 'accepted' : 'refused'}`, async () => {
        const registration = await registered(algorithm);
        const assertion = make(registration.passkey);
        assert.deepEqual(
          [ours(assertion, registration), await theirs(assertion, registration)],
          [mine, library],
        );
      });
    }
  });
}

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';
const MAX_ENTRIES = 100;

test('Well-known authenticators have a short name, by the IDs that are stored', () => {
  assert.equal(authenticatorName('fbfc3007-154e-4ecc-8c0b-6e020557d7bd'), 'Apple Passwords');
  assert.equal(authenticatorName('2fc0579f-8113-47ea-b116-bb5a8db9202a'), 'YubiKey 5 NFC');
  assert.ok(AUTHENTICATOR_NAMES.size <= MAX_ENTRIES);
  for (const [id, name] of AUTHENTICATOR_NAMES) {
    assert.ok(Check(Aaguid, id), id);
    assert.equal(id, id.toLowerCase());
    assert.match(name, /^[A-Z0-9][\w ]{3,31}$/);
  }
});

test('Unknown authenticators have no name, and neither have those without an ID', () => {
  for (const id of [NO_AAGUID, '', 'constructor', 'FBFC3007-154E-4ECC-8C0B-6E020557D7BD']) {
    assert.equal(authenticatorName(id), undefined, id);
  }
});
