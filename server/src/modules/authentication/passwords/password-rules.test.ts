import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorBody } from '@keywright/contract/errors';
import type { TenantConfig } from '@keywright/contract/records/tenant';
import { newIdentifier } from '@keywright/tests/harness/credentials';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';

const TOO_COMMON = 'is one of the most common passwords';
const NOT_SPECIAL = 'needs a character that is neither a letter nor a digit';

let keywright: Keywright;

before(async () => {
  keywright = await startKeywright();
});

after(() => keywright.close());

interface Case {
  readonly secret: string;
  /** What is wrong with it; nothing when it will do. */
  readonly flaw?: string;
  readonly because: string;
}

/** Registers somebody with each of the secrets in a tenant of these rules. */
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
