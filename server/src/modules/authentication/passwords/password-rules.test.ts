import { after, before, describe, test } from 'node:test';
import assert from 'node:assert/strict';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { schemeOf } from '../../../platform/crypto/foreign-hash.ts';
import type { ForeignHashes } from '../../../tenancy/tenant.ts';
import { decoyFor } from './password-policy.ts';

const TOO_COMMON = 'is one of the most common passwords';
const NOT_SPECIAL = 'needs a character that is not a letter or a digit';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});

after(() => keywright.close());

interface Case {
  readonly secret: string;
  /** The problem with it; absent if it is acceptable. */
  readonly flaw?: string;
  readonly because: string;
}

/** Registers a user with each secret, in a tenant with these rules. */
function suite(slug: string, config: Partial<TenantConfig>, cases: readonly Case[]): void {
  let tenant: TestTenant;

  before(async () => {
    tenant = await keywright.tenant(slug, { config: { login_attempts_limit: 10_000, ...config } });
  });

  for (const { secret, flaw, because } of cases) {
    test(`${flaw === undefined ? 'accepts' : 'rejects'} ${because}`, async () => {
      const body = { identifier: newIdentifier(), secret, register: true };
      const answer = await tenant.request<ErrorBody>('POST', '/auth/login', { body });
      if (flaw === undefined) expectStatus(200, answer);
      else {
        const { errors } = expectStatus(400, answer);
        assert.deepEqual(errors, [{ path: '/secret', message: flaw }]);
      }
    });
  }
}

describe('a tenant with default settings', () => {
  const tooShort = 'needs at least 12 characters';
  suite('usual', {}, [
    { secret: 'kb7 kq2 vz9 ', because: 'twelve characters, spaces among them' },
    { secret: 'kb7 kq2 vz9', flaw: tooShort, because: 'eleven characters' },
    {
      secret: '🔑'.repeat(11),
      flaw: tooShort,
      because: 'eleven characters of two units each',
    },
    { secret: 'ﬃﬃﬃﬃ', because: 'four characters that are twelve after NFKC' },
    { secret: 'PassWord1234', flaw: TOO_COMMON, because: 'a common password in any case' },
    {
      secret: 'ｐａｓｓｗｏｒｄ１２３４',
      flaw: TOO_COMMON,
      because: 'a common password in wide letters',
    },
  ]);
});

describe('password_min_length (SPEC resources tenant config 3)', () => {
  suite('longer', { password_min_length: 20 }, [
    {
      secret: 'nineteen characters',
      flaw: 'needs at least 20 characters',
      because: 'one character less',
    },
    { secret: 'a score of characters', because: 'as many characters, or more' },
  ]);
  suite('shorter', { password_min_length: 8 }, [
    {
      secret: 'kb7kq2v',
      flaw: 'needs at least 8 characters',
      because: 'seven characters of eight',
    },
    { secret: 'kb7kq2vz', because: 'eight characters of eight' },
    { secret: 'iloveyou', flaw: TOO_COMMON, because: 'a common password of eight characters' },
  ]);
});

describe('password_require_special (SPEC resources tenant config 4)', () => {
  suite('special', { password_require_special: true }, [
    {
      secret: 'engine of analysis 42',
      flaw: NOT_SPECIAL,
      because: 'letters, digits and spaces only',
    },
    { secret: 'motor der zukünfte 42', flaw: NOT_SPECIAL, because: 'letters of any language only' },
    { secret: 'engine of analysis!', because: 'an exclamation mark' },
    { secret: 'engine_of_analysis', because: 'an underscore' },
    { secret: 'engine of analysis €', because: 'a currency sign' },
  ]);
  suite('plain', { password_require_special: false }, [
    { secret: 'engine of analysis 42', because: 'letters, digits and spaces when it is off' },
  ]);
});

const HASHES: ForeignHashes = {
  key: Buffer.alloc(32, 7).toString('base64'),
  total: 1000,
  schemes: { $2b$10$: 500, '$pbkdf2-sha256$i=27500,l=64': 250 },
  counted_at: '2026-01-01T00:00:00.000Z',
};
const IDENTIFIERS = Array.from({ length: 20_000 }, (_, n) => `unknown-${n}@example.com`);

const schemeFor = (hashes: ForeignHashes | undefined, identifier: string) => {
  const decoy = decoyFor(hashes, identifier);
  return decoy && schemeOf(decoy);
};

describe('the decoy of an unknown identifier', () => {
  test('Each scheme is used for the same share of unknown identifiers as of users', () => {
    const counts = new Map<string | undefined, number>();
    for (const identifier of IDENTIFIERS) {
      const scheme = schemeFor(HASHES, identifier);
      counts.set(scheme, (counts.get(scheme) ?? 0) + 1);
    }
    const expected = [
      ['$2b$10$', 10_000],
      ['$pbkdf2-sha256$i=27500,l=64', 5000],
      [undefined, 5000],
    ] as const;
    assert.equal(counts.size, expected.length);
    // Six standard deviations at most.
    for (const [scheme, count] of expected) {
      assert.ok(
        Math.abs((counts.get(scheme) ?? 0) - count) < 430,
        `${scheme}: ${counts.get(scheme)}`,
      );
    }
  });

  test('The decoy of an identifier is always the same, and cannot be predicted without the key', () => {
    const other = { ...HASHES, key: Buffer.alloc(32, 8).toString('base64') };
    const sample = IDENTIFIERS.slice(0, 200);
    const schemes = sample.map((identifier) => schemeFor(HASHES, identifier));
    assert.deepEqual(
      schemes,
      sample.map((identifier) => schemeFor({ ...HASHES }, identifier)),
    );
    assert.notDeepEqual(
      schemes,
      sample.map((identifier) => schemeFor(other, identifier)),
    );
  });

  test('A decoy never returns to a scheme whose share has shrunk', () => {
    const fewer = { ...HASHES, schemes: { $2b$10$: 100 } };
    const now = { ...HASHES, schemes: { $2b$10$: 500 } };
    for (const identifier of IDENTIFIERS.slice(0, 2000)) {
      if (schemeFor(fewer, identifier) !== undefined)
        assert.equal(schemeFor(now, identifier), '$2b$10$');
    }
  });

  test('A decoy is a hash of this service if no user has a foreign one, and foreign if all users have one', () => {
    assert.equal(decoyFor(undefined, 'unknown@example.com'), undefined);
    const all = { ...HASHES, total: 3, schemes: { $2b$10$: 3 } };
    for (const identifier of IDENTIFIERS.slice(0, 200))
      assert.equal(schemeFor(all, identifier), '$2b$10$');
  });
});
