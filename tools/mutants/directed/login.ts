import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const LOGIN_MODULE = 'server/src/modules/authentication/login';
const IDENTIFIERS_MODULE = 'server/src/modules/identity/identifiers';
const UNDO = `${IDENTIFIERS_MODULE}/undo.test.ts`;
const CHALLENGES_MODULE = 'server/src/modules/authentication/challenges';
const FLOWS_MODULE = 'server/src/modules/authentication/flows';
const LOGIN = `${LOGIN_MODULE}/login.test.ts`;
const KNOWN_BROWSERS = 'server/src/modules/oauth/authorize/known-browsers.test.ts';
const FLOW_TOKENS = `${FLOWS_MODULE}/tokens.test.ts`;
const PASSWORD = 'server/src/platform/crypto/password.ts';
const PROOF = 'server/src/modules/authentication/proofs/proof.ts';
const RULES = 'server/src/modules/authentication/proofs/proof-rules.ts';
const BREACHED = 'server/src/modules/authentication/passwords/breached-passwords.test.ts';
const RULES_TEST = 'server/src/modules/authentication/proofs/proof-rules.test.ts';
const THROTTLE = `${LOGIN_MODULE}/throttle.test.ts`;
const IMPORTED = `${LOGIN_MODULE}/imported-passwords.test.ts`;
const IMPORT = 'server/src/modules/identity/user-administration/import.test.ts';

export const LOGIN_BREAKS: readonly DirectedBreaks[] = [
  breaksIn('server/src/modules/authentication/passwords/password-rules.ts', LOGIN, [
    ['return isRight ? user : undefined;', 'return user;', 'accepts any secret'],
    [
      'await passwords.verify(user?.secretHash, secret, share, decoy)',
      'user && (await passwords.verify(user.secretHash, secret, share, decoy))',
      'computes no hash for an unknown user',
    ],
  ]),
  breaksIn('server/src/app.ts', 'tests/e2e/password-cost.test.ts', [
    [
      'passwordCost = OWASP,',
      'passwordCost = { ...OWASP, timeCost: 1 },',
      'hashes passwords at a lower cost',
    ],
  ]),
  breaksIn(PASSWORD, 'server/src/platform/crypto/password.test.ts', [
    [
      'decoyOf(scheme)',
      "decoyOf('$argon2id$v=19$m=8,t=1,p=1')",
      'rejects unknown users sooner than known ones',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/prove.ts`, IMPORTED, [
    [
      'decoyFor(tenant.foreignHashes, identifier)',
      'undefined',
      'rejects unknown identifiers sooner than imported ones',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/password-step.ts`, IMPORTED, [
    [
      'decoyFor(tenant.foreignHashes, identifier.identifier)',
      'undefined',
      'rejects unknown identifiers in a flow sooner than imported ones',
    ],
  ]),
  breaksIn(`${LOGIN_MODULE}/strengthen.ts`, LOGIN, [
    [
      '!passwords.isOutdated(secretHash)',
      "!secretHash.startsWith('$argon2')",
      'does not upgrade weak hashes',
    ],
  ]),
  breaksIn('server/src/modules/identity/user-administration/import-rules.ts', IMPORT, [
    [
      "if (message !== undefined) wrong('HASH_UNSUPPORTED', 'hash', message);",
      '',
      'imports hashes of any cost',
    ],
  ]),
  breaksIn('server/src/modules/identity/user-administration/user-import.ts', IMPORT, [
    ['if (isDry) throw new DryRun(found);', '', 'imports in a dry run'],
    [
      'const flaw = refusals.get(name);',
      'const flaw = undefined as LineFlaw | undefined;',
      'grants roles that the caller does not hold',
    ],
  ]),
  breaksIn(RULES, LOGIN, [
    ["if (!user.isActive) return { status: 'ended' };", '', 'admits inactive users'],
    [
      'allowedAs === null || allowed.includes(allowedAs)',
      'allowedAs === null || allowed.length >= 0',
      'accepts a method that is not allowed',
    ],
  ]),
  breaksIn(RULES, RULES_TEST, [
    ['proof.userId === id && ', '', 'counts a proof of another user'],
    [
      "if (policy.requiredProviders.length > 0 && method.kind !== 'federated') return false;",
      '',
      'begins a login without the required provider',
    ],
    [
      'return provider !== undefined && required.includes(provider);',
      'return true;',
      'counts a proof through another provider',
    ],
    [
      "if (!needsOwn && proofs.some(({ method }) => method.provesTwo)) return 'aal2';",
      '',
      'counts two factors of a trusted provider as one',
    ],
    [' && proof.authVersion === authVersion', '', 'counts a proof from before a change'],
    [
      'return method.allowedAs !== null && isAllowed(method, policy);',
      'return isAllowed(method, policy);',
      'starts with a second factor',
    ],
    [
      'return method.allowedAs !== null && isAllowed(method, policy);',
      'return method.allowedAs !== null;',
      'starts with a passkey that the tenant does not allow',
    ],
    [
      "if (recovers) return method.kind === 'mailbox' && method.factorAs === undefined;",
      '',
      'recovers an account without its mailbox',
    ],
    [
      "return method.kind === 'mailbox' && method.factorAs === undefined;",
      "return method.kind === 'mailbox';",
      'begins a recovery with the code that is its second factor',
    ],
    [' && proofs.some(isHeld)', '', 'accepts a mailbox as a second factor'],
    ['kinds.size > 1 && proofs.some(isHeld)', 'proofs.some(isHeld)', 'counts one factor twice'],
    [
      '(!hasSecondFactor && accepted.includes(factorAs))',
      'accepted.includes(factorAs)',
      'accepts a code by SMS in place of an authenticator',
    ],
    ["!kinds.has('phone')", 'true', 'sends both factors to one phone'],
    [
      'policy.requiresVerifiedIdentifier && !user.hasVerifiedIdentifier',
      'policy.requiresVerifiedIdentifier && !user.hasVerifiedIdentifier && !user.hasSecondFactor',
      'opens a session for a user without a verified identifier',
    ],
    ['!policy.requiresVerifiedIdentifier', 'true', 'registers without a verified identifier'],
    [
      "acr === 'aal1' && user.hasSecondFactor",
      "acr !== 'aal1'",
      'does not require an enrolled second factor',
    ],
    ['isMessage(proof.method) && ', '', 'enrols after a password alone'],
    [' && isMet(flow.acr, acr)', '', 'opens a weaker session than was asked for'],
    ['Math.max(', 'Math.min(', 'uses the time of the first proof for the login'],
    [
      "acr !== 'aal1' || !policy.requiresSecondFactor",
      'acr.length > 0',
      'accepts a login without the second factor',
    ],
    ['!policy.requiresSecondFactor || ', '', 'registers without the second factor'],
  ]),
  breaksIn(RULES, BREACHED, [
    [' && !method.isCompromised', '', 'accepts a breached password as a new one'],
  ]),
  breaksIn(PROOF, 'tests/login-methods/second-method.test.ts', [
    [
      '{ userId, authVersion, method, at }',
      '{ method, at, ...shown }',
      'trusts everything a method returns',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/rules.ts`, 'tests/conformance/mail-scanner.test.ts', [
    [
      "if (continues) return isSent ? ['code'] : [];",
      "if (continues) return isSent ? ['code', 'link'] : [];",
      'accepts a link that was opened elsewhere',
    ],
  ]),
  breaksIn(`${IDENTIFIERS_MODULE}/rules.ts`, UNDO, [
    ['undos.filter((one) => one.expires_at > now)', 'undos', 'undoes changes for ever'],
    [
      'usable.filter((one) => one.destination === used?.destination)',
      'usable.filter((one) => one === used)',
      'undoes one change, and keeps the address of a stranger',
    ],
  ]),
  breaksIn(`${CHALLENGES_MODULE}/rules.ts`, `${CHALLENGES_MODULE}/challenges.test.ts`, [
    ['failed > Math.max(', 'failed > 2 * Math.max(', 'keeps codes short while they are guessed'],
  ]),
  breaksIn(`${FLOWS_MODULE}/completion.ts`, FLOW_TOKENS, [
    [
      ' || !isRepeatable(flow, tenant.config, clock.now())',
      '',
      'repeats the tokens of a flow as long as they are unused',
    ],
  ]),
  breaksIn('server/src/modules/tokens/sessions/session-step-up.ts', FLOW_TOKENS, [
    [
      'if (!refreshTokenHash(token).equals(row.hash)) return undefined;',
      '',
      'repeats tokens that were exchanged',
    ],
    ['isRepeatable: true', 'isRepeatable: false', 'repeats another access token'],
  ]),
  breaksIn(`${LOGIN_MODULE}/start.ts`, LOGIN, [
    ["requireBoundedSecret(given.secret, '/secret', fail);", '', 'hashes secrets of any length'],
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
      "if (next.status === 'needs' && next.step !== 'first_factor') {",
      "if (next.status === 'complete') {",
      'never requires the second factor',
    ],
    [
      "return fail(isUnknown ? 'NOT_FOUND' : 'INVALID_CREDENTIALS')",
      "return fail('INVALID_CREDENTIALS')",
      'reports an unknown workspace as a wrong secret',
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
      "subject: counted('login identifier', identifier),\n      limit,",
      "subject: counted('login identifier', identifier),\n      limit: 1e6,",
      'does not count by identifier',
    ],
    [
      '...clientNetworks(from.address).map(',
      '...clientNetworks(from.address).slice(9).map(',
      'does not count by address',
    ],
    [
      "kind: 'device', subject, limit,",
      "kind: 'device', subject, limit: 1e6,",
      'allows a known device unlimited attempts',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/step.ts`, `${FLOWS_MODULE}/known-devices.test.ts`, [
    [
      'step.knownDevice ?? secret.device',
      'step.knownDevice',
      'forgets in later steps the device that a flow began on',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/device-tokens.ts`, KNOWN_BROWSERS, [
    [
      ' && device.authVersion === user.authVersion',
      '',
      'recognizes a browser after the password was changed',
    ],
  ]),
  breaksIn(`${FLOWS_MODULE}/device-tokens.ts`, `${FLOWS_MODULE}/device-tokens.test.ts`, [
    [
      '`devices of flows of ${tenantId}`',
      "'devices of flows'",
      'begins a flow on the device of another tenant',
    ],
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
    ['    isAllowed(PASSWORD, config) &&\n', '', 'registers users that it then rejects'],
  ]),
];
