import Type from 'typebox';
import { RoleName } from './role.ts';

/** Settings of second factors. */
export const MFA_CONFIG = {
  require_mfa: Type.Boolean({
    default: false,
    description:
      'Whether every login needs a second factor. Users without one add it during their next login. Users who have one need it in any case.',
  }),
  require_mfa_role: Type.Union([RoleName, Type.Null()], {
    default: null,
    description:
      'Everyone who holds every scope of this role needs a second factor at every login; null: nobody because of a role.',
  }),
  mfa_methods: Type.Array(Type.Enum(['passkey', 'totp', 'sms', 'email']), {
    minItems: 1,
    maxItems: 4,
    uniqueItems: true,
    default: ['passkey', 'totp'],
    description:
      'Second factors. `passkey` and `totp`: what users without one may add during a login; those that users have are needed in any case. `sms`: a code to a verified phone number is a second factor of users who have none of their own, for tenants that accept the risk of ported numbers; needs codes by SMS. `email`: a code to a verified address, beside another factor, satisfies require_mfa, but the session stays `aal1`; needs mail.',
  }),
};
