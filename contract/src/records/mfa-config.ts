import Type from 'typebox';
import { RoleName } from './role.ts';

/** Settings of second factors. */
export const MFA_CONFIG = {
  require_mfa: Type.Boolean({
    default: false,
    description:
      'Whether every login needs a second factor. Users without one add it during their next login. Users who have a second factor always need it, regardless of this setting.',
  }),
  require_mfa_role: Type.Union([RoleName, Type.Null()], {
    default: null,
    description:
      'Users who hold every scope of this role need a second factor for every login. If null, no role requires one.',
  }),
  mfa_methods: Type.Array(Type.Enum(['passkey', 'totp', 'sms', 'email']), {
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
    default: ['passkey', 'totp'],
    description:
      'Second factors. `passkey` and `totp` can be added during a login by users who have none; factors that users already have are always needed. `sms`: a code to a verified phone number counts as a second factor of users who have no other. It needs codes by SMS, and is exposed to the theft of phone numbers. `email`: a code to a verified email address, after another factor, satisfies `require_mfa`, but the session remains `aal1`. It needs a mail server.',
  }),
};
