import Type, { type Static } from 'typebox';
import { expiresAt } from './record-fields.ts';

export const UserLock = Type.Object(
  {
    limit: Type.Enum(['password', 'totp', 'recovery_code'], {
      description:
        'What was entered incorrectly too often: passwords, authenticator codes, or recovery codes.',
      examples: ['password'],
    }),
    identifier: Type.Union([Type.String(), Type.Null()], {
      description: 'The identifier that the passwords were entered for; `null` for codes.',
      examples: ['ann@acme.example'],
    }),
    until: expiresAt('When sign-ins are accepted again.'),
  },
  {
    $id: 'UserLock',
    description: 'A limit on wrong passwords or codes that rejects sign-ins of a user.',
  },
);
export type UserLock = Static<typeof UserLock>;
