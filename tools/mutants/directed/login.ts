import type { DirectedBreaks } from '../breaks.ts';

const LOGIN_MODULE = 'server/src/modules/authentication/login';
const LOGIN = `${LOGIN_MODULE}/login.test.ts`;
const PROOF = 'server/src/modules/authentication/proofs/proof.ts';
const RULES = 'server/src/modules/authentication/proofs/rules.ts';
const RULES_TEST = 'server/src/modules/authentication/proofs/rules.test.ts';
const THROTTLE = `${LOGIN_MODULE}/throttle.test.ts`;

export const LOGIN_BREAKS: readonly DirectedBreaks[] = [
  {
    in: 'server/src/modules/authentication/passwords/login-method.ts',
    by: LOGIN,
    breaks: [
      [
        '(await passwords.verify(user?.secretHash, secret, share)) ? user : undefined',
        'user',
        'takes any secret',
      ],
      [
        '(await passwords.verify(user?.secretHash, secret, share))',
        'user && (await passwords.verify(user.secretHash, secret, share))',
        'hashes nothing for an unknown user',
      ],
    ],
  },
  {
    in: RULES,
    by: LOGIN,
    breaks: [
      ["if (!user.isActive) return { status: 'ended' };", '', 'lets inactive users in'],
      [
        'allowedAs === null || allowed.includes(allowedAs)',
        'allowedAs === null || allowed.length >= 0',
        'lets in by a method that is not allowed',
      ],
      ['policy.require_mfa || user.', 'user.', 'lets in without the second factor'],
    ],
  },
  {
    in: RULES,
    by: RULES_TEST,
    breaks: [
      ['proof.userId === id && ', '', 'counts what was proven of somebody else'],
      [' && proof.authVersion === authVersion', '', 'counts what was proven before a change'],
      [
        '!proofs.some(({ method }) => method.allowedAs !== null)',
        'proofs.length === 0',
        'begins with a second factor',
      ],
      ["kinds.has('possession') && ", '', 'takes a mailbox for a second factor'],
      [' && kinds.size > 1', '', 'takes one factor for two'],
      [' || user.hasSecondFactor', '', 'spares a user the second factor that they have'],
      ['Math.max(', 'Math.min(', 'dates the login by its first proof'],
    ],
  },
  {
    in: PROOF,
    by: 'tests/login-methods/second-method.test.ts',
    breaks: [
      [
        '{ userId, authVersion, method, at }',
        '{ method, at, ...shown }',
        'believes all that a method says',
      ],
    ],
  },
  {
    in: `${LOGIN_MODULE}/service.ts`,
    by: LOGIN,
    breaks: [
      [
        "if (next.status === 'needs' && next.step === 'second_factor') {",
        "if (next.status === 'complete') {",
        'asks nobody for the second factor',
      ],
      ["requireBoundedSecret(body.secret, '/secret', fail);", '', 'hashes secrets of any length'],
      [
        "return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS')",
        "return fail('INVALID_CREDENTIALS')",
        'says of an unknown workspace that the secret is wrong',
      ],
      [
        '!passwords.isOutdated(secretHash)',
        "!secretHash.startsWith('$argon2')",
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
      ['    isEnough(PASSWORD, config) &&\n', '', 'registers whom it then refuses'],
    ],
  },
];
