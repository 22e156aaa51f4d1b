import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guessMapping, hasIdentifier, sourceOfColumns } from './columns.ts';

const SETTINGS = { hashConfig: undefined };

describe('the columns of a file', () => {
  it('The columns of a file are guessed by usual names, each target once', () => {
    const columns = [
      'E-Mail',
      'email_verified',
      'Phone Number',
      'Role',
      'password_hash',
      'hash',
      'Plan',
    ];
    assert.deepEqual(guessMapping(columns), {
      'E-Mail': 'email',
      email_verified: 'email_verified',
      'Phone Number': 'phone',
      Role: 'roles',
      password_hash: 'password',
      hash: 'nothing',
      Plan: 'nothing',
    });
    assert.equal(hasIdentifier(guessMapping(['plan', 'tel'])), false);
  });

  it('The columns of a file become a user, and a column mapped to nothing is left out', () => {
    const source = sourceOfColumns({
      mail: 'email',
      confirmed: 'email_verified',
      tel: 'phone',
      groups: 'roles',
      on: 'is_active',
      hash: 'password',
      plan: 'metadata',
      secret: 'nothing',
    });
    const hash = `$2b$10$${'a'.repeat(53)}`;
    assert.deepEqual(
      source.convert(
        {
          mail: ' ada@example.com',
          confirmed: '2026-01-15 10:30',
          tel: '15551234567',
          groups: 'reader, member',
          on: 'No',
          hash,
          plan: 'team',
          secret: 'x',
        },
        SETTINGS,
      ),
      {
        identifiers: [
          { identifier: 'ada@example.com', verified: true },
          { identifier: '+15551234567', verified: false },
        ],
        password: { scheme: 'bcrypt', hash },
        roles: ['reader', 'member'],
        is_active: false,
        metadata: { plan: 'team' },
      },
    );
    assert.deepEqual(source.convert({ mail: 'ada@example.com', on: 'yes' }, SETTINGS), {
      identifiers: [{ identifier: 'ada@example.com', verified: false }],
    });
    assert.throws(() => source.convert({ plan: 'team' }, SETTINGS), /neither an email/);
    assert.throws(() => source.convert({ mail: 'a@b.example', hash: 'md5:1' }, SETTINGS), {
      message: /an unsupported algorithm/,
    });
  });
});
