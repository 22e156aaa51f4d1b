import Type from 'typebox';
import { RoleName } from './role.ts';

/** Settings of second factors. */
export const MFA_CONFIG = {
  require_mfa: Type.Boolean({
    default: false,
    description:
      'Whether every login needs a second factor. Users without one add it during their next login. Users who have one always need it.',
  }),
  require_mfa_role: Type.Union([RoleName, Type.Null()], {
    default: null,
    description:
      'Users who hold every scope of this role need a second factor at every login; null: no role requires one.',
  }),
  mfa_methods: Type.Array(Type.Enum(['passkey', 'totp', 'sms', 'email']), {
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
    default: ['passkey', 'totp'],
    description:
      'Second factors. `passkey` and `totp`: what users without one may add during a login; those that users have are always needed. `sms`: a code to a verified phone number is a second factor of users who have no other, for tenants that accept the risk of ported numbers; needs codes by SMS. `email`: a code to a verified address, after another factor, satisfies require_mfa, but the session remains `aal1`; needs mail.',
  }),
};
