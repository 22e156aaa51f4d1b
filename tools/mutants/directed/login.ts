import type { DirectedBreaks } from '../breaks.ts';

const LOGIN_MODULE = 'server/src/modules/authentication/login';
const LOGIN = `${LOGIN_MODULE}/login.test.ts`;
const THROTTLE = `${LOGIN_MODULE}/throttle.test.ts`;

export const LOGIN_BREAKS: readonly DirectedBreaks[] = [
  {
    in: `${LOGIN_MODULE}/prove.ts`,
    by: LOGIN,
    breaks: [
      ['isRight && mayLogIn &&', 'mayLogIn &&', 'takes any secret'],
      ['row.is_active && tenant', 'tenant', 'lets inactive users in'],
      [
        " && tenant.config.allowed_login_methods.includes('password')",
        '',
        'lets in by a method that is not allowed',
      ],
      [
        'await passwords.verify(row.secret_hash ?? undefined, secret, share)',
        'row.secret_hash !== null && (await passwords.verify(row.secret_hash, secret, share))',
        'hashes nothing for a user whom there is not',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/service.ts`,
    by: LOGIN,
    breaks: [
      ["      fail('MFA_REQUIRED');\n", '', 'lets in without the second factor'],
      ["requireBoundedSecret(body.secret, '/secret', fail);", '', 'hashes secrets of any length'],
      [
        "return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS')",
        "return fail('INVALID_CREDENTIALS')",
        'says of an unknown workspace that the secret is wrong',
      ],
      [
        'if (!passwords.isOutdated(secretHash)) return proven;',
        'if (secretHash) return proven;',
        'leaves weak hashes as they are',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/service.ts`,
    by: THROTTLE,
    breaks: [
      [
        'if (row.retry_after !== null) {',
        'if (row.retry_after === 0) {',
        'hashes for whoever has tried too often',
      ],
      ['    passwords.requireRoom(share);\n', '', 'counts logins for which there is no room'],
      [
        'const attempts = countedOf(possible, row.is_device_known);',
        'const attempts = possible;',
        'gives back attempts that were not counted',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/attempts.ts`,
    by: THROTTLE,
    breaks: [
      [
        "{ kind: 'identifier', subject: identifierSubject(identifier), limit },",
        '',
        'counts nobody by identifier',
      ],
      ['if (!from.isShared) {', 'if (from.isShared) {', 'counts nobody by address'],
      [
        'subject: deviceSubject(device.id), limit }',
        'subject: deviceSubject(device.id), limit: 1e6 }',
        'lets a known device try for ever',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/device-tokens.ts`,
    by: `${LOGIN_MODULE}/device-tokens.test.ts`,
    breaks: [
      ['`device tokens of ${tenantId}`', "'device tokens'", 'knows the device of another tenant'],
    ],
  },
  {
    in: `${LOGIN_MODULE}/device-tokens.ts`,
    by: THROTTLE,
    breaks: [
      [
        'if (!userId || endsAt <= now.getTime()) return undefined;',
        'if (!userId) return undefined;',
        'knows a device for ever',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/register.ts`,
    by: LOGIN,
    breaks: [
      ['    config.allow_registration &&\n', '', 'registers where nobody may'],
      ['    !config.require_mfa &&\n', '', 'registers whom it then refuses'],
    ],
  },
];
