import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const LOGIN_MODULE = 'server/src/modules/authentication/login';
const FLOWS_MODULE = 'server/src/modules/authentication/flows';
const LOGIN = `${LOGIN_MODULE}/login.test.ts`;
const PROOF = 'server/src/modules/authentication/proofs/proof.ts';
const RULES = 'server/src/modules/authentication/proofs/rules.ts';
const RULES_TEST = 'server/src/modules/authentication/proofs/rules.test.ts';
const THROTTLE = `${LOGIN_MODULE}/throttle.test.ts`;

export const LOGIN_BREAKS: readonly DirectedBreaks[] = [
  breaksIn('server/src/modules/authentication/passwords/login-method.ts', LOGIN, [
    [
      '(await passwords.verify(user?.secretHash, secret, share)) ? user : undefined',
      'user',
      'accepts any secret',
    ],
    [
      '(await passwords.verify(user?.secretHash, secret, share))',
      'user && (await passwords.verify(user.secretHash, secret, share))',
      'computes no hash for an unknown user',
    ],
  ]),
  breaksIn(RULES, LOGIN, [
    ["if (!user.isActive) return { status: 'ended' };", '', 'admits inactive users'],
    [
      'allowedAs === null || allowed.includes(allowedAs)',
      'allowedAs === null || allowed.length >= 0',
      'accepts a method that is not allowed',
    ],
    ['policy.require_mfa || user.', 'user.', 'accepts a login without the second factor'],
  ]),
  breaksIn(RULES, RULES_TEST, [
    ['proof.userId === id && ', '', 'counts a proof of another user'],
    [' && proof.authVersion === authVersion', '', 'counts a proof from before a change'],
    [
      '!proofs.some(({ method }) => method.allowedAs !== null)',
      'proofs.length === 0',
      'starts with a second factor',
    ],
    ["kinds.has('possession') && ", '', 'accepts a mailbox as a second factor'],
    [' && kinds.size > 1', '', 'counts one factor twice'],
    [' || user.hasSecondFactor', '', 'does not require an enrolled second factor'],
    ['Math.max(', 'Math.min(', 'uses the time of the first proof for the login'],
  ]),
  breaksIn(PROOF, 'tests/login-methods/second-method.test.ts', [
    [
      '{ userId, authVersion, method, at }',
      '{ method, at, ...shown }',
      'trusts everything a method returns',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/start.ts`, LOGIN, [
    ["requireBoundedSecret(body.secret, '/secret', fail);", '', 'hashes secrets of any length'],
  ]),
  breaksIn(`${LOGIN_MODULE}/start.ts`, THROTTLE, [
    ['    passwords.requireRoom(share);\n', '', 'counts logins rejected for lack of capacity'],
    [
      'const attempts = countedOf(possible, row.is_device_known);',
      'const attempts = possible;',
      'refunds attempts that were not counted',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/service.ts`, LOGIN, [
    [
      "if (next.status === 'needs' && next.step === 'second_factor') {",
      "if (next.status === 'complete') {",
      'never requires the second factor',
    ],
    [
      "return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS')",
      "return fail('INVALID_CREDENTIALS')",
      'reports an unknown workspace as a wrong secret',
    ],
    [
      '!passwords.isOutdated(secretHash)',
      "!secretHash.startsWith('$argon2')",
      'does not upgrade weak hashes',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/service.ts`, THROTTLE, [
    [
      'if (row.retry_after !== null) {',
      'if (row.retry_after === 0) {',
      'hashes after too many attempts',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/attempts.ts`, THROTTLE, [
    [
      "{ kind: 'identifier', subject: identifierSubject(identifier), limit },",
      '',
      'does not count by identifier',
    ],
    ['if (!from.isShared) {', 'if (from.isShared) {', 'does not count by address'],
    [
      'subject: deviceSubject(device.id), limit }',
      'subject: deviceSubject(device.id), limit: 1e6 }',
      'allows a known device unlimited attempts',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/device-tokens.ts`, `${FLOWS_MODULE}/device-tokens.test.ts`, [
    [
      '`device tokens of ${tenantId}`',
      "'device tokens'",
      'recognizes the device of another tenant',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/device-tokens.ts`, THROTTLE, [
    [
      'if (!userId || endsAt <= now.getTime()) return undefined;',
      'if (!userId) return undefined;',
      'recognizes a device forever',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/register.ts`, LOGIN, [
    ['    config.allow_registration &&\n', '', 'registers where registration is disabled'],
    ['    isEnough(PASSWORD, config) &&\n', '', 'registers users that it then rejects'],
  ]),
];
