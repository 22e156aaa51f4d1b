import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import { combinations } from '@keywright/tests/harness/combinations';
import {
  type Flow,
  type Method,
  type Policy,
  type UserState,
  addProof,
  newFlow,
  decide,
  isEnough,
} from './proof-rules.ts';

const TENANT = 'org_one' as TenantId;
const ANA = 'user:ana' as UserId;
const BEN = 'user:ben' as UserId;
const CORPORATE = 'idp_corporate' as IdentityProviderId;
const ELSEWHERE = 'idp_elsewhere' as IdentityProviderId;
const VERSION = 3;
const NOW = new Date('2026-01-15T00:00:00Z');

const METHODS = {
  password: { kind: 'knowledge', allowedAs: 'password', amr: ['pwd'] },
  mail: { kind: 'mailbox', allowedAs: 'magic_link', amr: ['email'] },
  text: { kind: 'possession', allowedAs: 'magic_link', amr: ['sms'] },
  upstream: { kind: 'federated', allowedAs: 'oauth', amr: ['fed'] },
  trusted: { kind: 'federated', allowedAs: 'oauth', provesTwo: true, amr: ['fed'] },
  smsFactor: { kind: 'phone', allowedAs: null, factorAs: 'sms', amr: ['sms', 'otp'] },
  mailFactor: { kind: 'mailbox', allowedAs: null, factorAs: 'email', amr: ['email'] },
  sms: { kind: 'phone', allowedAs: 'magic_link', amr: ['sms', 'otp'] },
  generator: { kind: 'possession', allowedAs: null, amr: ['otp'] },
  passkey: {
    kind: 'possession',
    allowedAs: 'passkey',
    verifiesUser: true,
    amr: ['pop', 'user', 'hwk'],
  },
} as const satisfies Readonly<Record<string, Method>>;
type Name = keyof typeof METHODS;

const NAMES = Object.keys(METHODS) as Name[];
const WITHOUT_PASSKEYS: readonly Name[] = ['password', 'mail', 'text', 'upstream', 'generator'];
const WITH_PASSKEYS: readonly Name[] = ['password', 'mail', 'generator', 'passkey'];
const WITH_CODES: readonly Name[] = ['password', 'mail', 'sms', 'smsFactor', 'mailFactor'];
const WITH_TRUSTED: readonly Name[] = ['password', 'mail', 'generator', 'trusted'];
/** The user of a proof: the user in the current version, another user, or the user before a change. */
const SHOWN = {
  good: { userId: ANA, authVersion: VERSION },
  foreign: { userId: BEN, authVersion: VERSION },
  stale: { userId: ANA, authVersion: VERSION - 1 },
  early: { userId: ANA, authVersion: VERSION + 1 },
} as const;
type Quality = keyof typeof SHOWN;

const POLICY: Policy = {
  allowed_login_methods: ['password', 'magic_link', 'oauth', 'passkey'],
  mfa_methods: ['passkey', 'totp'],
  requiresSecondFactor: false,
  requiresVerifiedIdentifier: false,
  requiredProviders: [],
  requiresEnrolledFactor: false,
};
const USER: UserState = {
  id: ANA,
  isActive: true,
  authVersion: VERSION,
  hasSecondFactor: false,
  hasPasskey: false,
  hasVerifiedIdentifier: false,
  hasMailbox: false,
  factorChannels: [],
};

type Shown = Partial<Record<Name, Quality>>;

function flowOf(shown: Shown): Flow {
  return Object.entries(shown).reduce(
    (flow, [name, quality], place) =>
      addProof(flow, METHODS[name as Name], SHOWN[quality], new Date(NOW.getTime() + place)),
    newFlow(TENANT),
  );
}

const WITH_MAILBOX: UserState = { ...USER, hasMailbox: true };

const after = (shown: Shown, user: UserState | undefined = USER, policy: Partial<Policy> = {}) =>
  decide(flowOf(shown), user, { ...POLICY, ...policy });

const NEEDS_FIRST = { status: 'needs', step: 'first_factor' };
const NEEDS_VERIFICATION = { status: 'needs', step: 'verification' };
const NEEDS_SECOND = { status: 'needs', step: 'second_factor' };
const NEEDS_ENROLLMENT = { status: 'needs', step: 'enrollment' };
const NEEDS_MAILBOX = { status: 'needs', step: 'mailbox' };

const FACTORS: Partial<Record<Name, 'sms' | 'email'>> = { smsFactor: 'sms', mailFactor: 'email' };

/** The rule as written in the decision record on proofs: which of these proofs count, and whether they suffice. */
function expectedOf(
  shown: Shown,
  user: UserState,
  policy: Policy,
  { acr, recovers }: Pick<Flow, 'acr' | 'recovers'>,
) {
  const counted = NAMES.filter((name) => {
    const { allowedAs } = METHODS[name];
    const isAllowed = allowedAs === null || policy.allowed_login_methods.includes(allowedAs);
    const isExempt = name === 'passkey' || (recovers && name === 'mail');
    const factorAs = FACTORS[name];
    const isFactor = !factorAs || (!user.hasSecondFactor && policy.mfa_methods.includes(factorAs));
    return shown[name] === 'good' && (isAllowed || isExempt) && isFactor;
  });
  const has = (...names: readonly Name[]) => names.some((name) => counted.includes(name));
  const mayStart = policy.allowed_login_methods.includes('passkey') && has('passkey');
  const isStarted = recovers
    ? has('mail')
    : mayStart || has('password', 'mail', 'sms', 'text', 'upstream', 'trusted');
  if (!isStarted) return 'first_factor';
  if (!user.isActive) return 'ended';
  if (policy.requiresVerifiedIdentifier && !user.hasVerifiedIdentifier) return 'verification';
  const isPhr = has('passkey');
  const isTwo =
    isPhr ||
    (has('trusted') && !(user.hasSecondFactor && policy.requiresEnrolledFactor)) ||
    (has('text', 'generator') && has('password', 'mail', 'upstream', 'trusted', 'sms')) ||
    (has('smsFactor') && has('password', 'mail', 'mailFactor'));
  if (!isTwo && user.hasSecondFactor) return 'second_factor';
  const byMail = has('mailFactor') && has('password', 'sms', 'smsFactor');
  const lacks = !isTwo && ((policy.requiresSecondFactor && !byMail) || acr !== undefined);
  const phone = lacks && user.factorChannels.includes('sms') && !has('sms', 'smsFactor');
  if (phone) return 'message_factor sms';
  const mailbox = user.factorChannels.includes('email') && !has('mail', 'mailFactor');
  if (lacks && mailbox && acr === undefined) return 'message_factor email';
  if (recovers && !has('password')) return 'new_password';
  if (isPhr) return 'phr';
  if (isTwo && acr !== 'phr') return 'aal2';
  if (isTwo) return user.hasPasskey ? 'second_factor' : 'enrollment';
  if (!lacks) return 'aal1';
  // Whether or not the tenant accepts it as a login.
  const isReached = WITH_CODES.some((name) => name !== 'password' && shown[name] === 'good');
  return user.hasMailbox && !isReached ? 'mailbox' : 'enrollment';
}

const channelsOf = (sms?: boolean, email?: boolean) => [
  ...(sms === true ? (['sms'] as const) : []),
  ...(email === true ? (['email'] as const) : []),
];

function outcomeOf(next: ReturnType<typeof decide>): string {
  if (next.status === 'complete') return next.permit.acr;
  if (next.status !== 'needs') return next.status;
  return next.step === 'message_factor' ? `${next.step} ${next.channel}` : next.step;
}

describe('the outcome of a login', () => {
  const CASES = [
    {
      title: 'without passkeys',
      names: WITHOUT_PASSKEYS,
      qualities: [undefined, 'good', 'foreign', 'stale'],
      methods: ['password', 'magic_link', 'oauth'],
      flags: ['asked'],
      requestedAcr: 'aal2',
      count: 4 ** 5 * 2 ** 3 * 2 ** 6 * 3,
    },
    {
      title: 'with passkeys',
      names: WITH_PASSKEYS,
      qualities: [undefined, 'good', 'foreign'],
      methods: ['password', 'magic_link', 'passkey'],
      flags: ['asked', 'passkey'],
      requestedAcr: 'phr',
      count: 3 ** 4 * 2 ** 3 * 2 ** 7 * 3,
    },
    {
      title: 'with a trusted provider',
      names: WITH_TRUSTED,
      qualities: [undefined, 'good', 'stale'],
      methods: ['password', 'magic_link', 'oauth'],
      flags: ['asked', 'own'],
      requestedAcr: 'aal2',
      count: 3 ** 4 * 2 ** 3 * 2 ** 7 * 3,
    },
    {
      title: 'with codes as second factors',
      names: WITH_CODES,
      qualities: [undefined, 'good'],
      methods: ['password', 'magic_link'],
      flags: ['asked', 'smsOptedIn', 'emailOptedIn', 'number', 'address'],
      requestedAcr: 'aal2',
      count: 2 ** 5 * 2 ** 2 * 2 ** 10 * 3,
    },
  ] as const;
  for (const testCase of CASES) {
    test(`The outcome of a login follows the rule for each set of proofs, user and policy, ${testCase.title}`, () => {
      assert.equal(countedOf(testCase), testCase.count);
    });
  }

  type Case = (typeof CASES)[number];
  function countedOf({ names, qualities, methods, flags: more, requestedAcr }: Case) {
    const lists = [...combinations(methods, [true, false])].map((chosen) =>
      methods.filter((method) => chosen[method]),
    );
    let seen = 0;
    for (const chosen of combinations<Name, Quality | undefined>(names, qualities)) {
      const shown = Object.fromEntries(
        Object.entries(chosen).filter(([, quality]) => quality !== undefined),
      ) as Shown;
      const flow = flowOf(shown);
      for (const allowed of lists) {
        for (const flags of combinations(
          [...more, 'mfa', 'verify', 'recovers', 'factor', 'verified', 'mailbox', 'active'],
          [true, false],
        )) {
          // A mailbox is a verified address.
          if (flags.mailbox === true && flags.verified !== true) continue;
          const policy = {
            allowed_login_methods: allowed,
            mfa_methods: channelsOf(flags.smsOptedIn, flags.emailOptedIn),
            requiresSecondFactor: flags.mfa === true,
            requiresVerifiedIdentifier: flags.verify === true,
            requiredProviders: [],
            requiresEnrolledFactor: flags.own === true,
          };
          const user = {
            ...USER,
            isActive: flags.active === true,
            hasSecondFactor: flags.factor === true,
            hasPasskey: flags.passkey === true,
            hasVerifiedIdentifier: flags.verified === true,
            hasMailbox: flags.mailbox === true,
            factorChannels: channelsOf(flags.number, flags.address),
          };
          const purpose = {
            acr: flags.asked === true ? requestedAcr : undefined,
            recovers: flags.recovers === true,
          };
          const outcome = outcomeOf(decide({ ...flow, ...purpose }, user, policy));
          const expected = expectedOf(shown, user, policy, purpose);
          if (outcome !== expected) {
            assert.equal(outcome, expected, JSON.stringify({ shown, user, policy, purpose }));
          }
          seen += 1;
        }
      }
    }
    return seen;
  }

  const table: readonly (readonly [title: string, next: ReturnType<typeof decide>, is: unknown])[] =
    [
      ['nothing was proven', after({}), NEEDS_FIRST],
      ['the user is unknown', decide(flowOf({ password: 'good' }), undefined, POLICY), NEEDS_FIRST],
      ['another user was proven', after({ password: 'foreign' }), NEEDS_FIRST],
      ['the user has changed since', after({ password: 'stale' }), NEEDS_FIRST],
      ['a version was made up', after({ password: 'early' }), NEEDS_FIRST],
      [
        'the tenant does not allow the method',
        after({ password: 'good' }, USER, { allowed_login_methods: ['passkey'] }),
        NEEDS_FIRST,
      ],
      ['only a second factor was given', after({ generator: 'good' }), NEEDS_FIRST],
      [
        'the user is not active',
        after({ password: 'good' }, { ...USER, isActive: false }),
        { status: 'ended' },
      ],
      [
        'the tenant demands two',
        after({ password: 'good' }, USER, { requiresSecondFactor: true }),
        NEEDS_ENROLLMENT,
      ],
      [
        'the tenant demands two, and could ask the user to prove a mailbox first',
        after({ password: 'good' }, WITH_MAILBOX, { requiresSecondFactor: true }),
        NEEDS_MAILBOX,
      ],
      [
        'the tenant requires two, and another user proved a mailbox',
        after({ password: 'good', mail: 'foreign' }, WITH_MAILBOX, { requiresSecondFactor: true }),
        NEEDS_MAILBOX,
      ],
      [
        'the tenant demands two, and the user has proved a mailbox',
        after({ password: 'good', mail: 'good' }, WITH_MAILBOX, {
          requiresSecondFactor: true,
          allowed_login_methods: ['password'],
        }),
        NEEDS_ENROLLMENT,
      ],
      [
        'the tenant demands a verified identifier, and the user has none',
        after(
          { password: 'good', mail: 'foreign', generator: 'good' },
          { ...USER, hasSecondFactor: true },
          { requiresVerifiedIdentifier: true },
        ),
        NEEDS_VERIFICATION,
      ],
      [
        'the user has a second factor',
        after({ password: 'good' }, { ...USER, hasSecondFactor: true }),
        NEEDS_SECOND,
      ],
      [
        'both factors are of a kind, or none is something that the user has',
        after(
          { password: 'good', mail: 'good', upstream: 'good' },
          { ...USER, hasSecondFactor: true },
        ),
        NEEDS_SECOND,
      ],
      [
        'both are something that the user has',
        after({ text: 'good', generator: 'good' }, { ...USER, hasSecondFactor: true }),
        NEEDS_SECOND,
      ],
    ];
  test('A passkey alone leads to a session, since its authenticator has verified the user', () => {
    const policy = { requiresSecondFactor: true, allowed_login_methods: ['passkey' as const] };
    const next = after({ passkey: 'good' }, { ...USER, hasSecondFactor: true }, policy);
    assert.deepEqual(next.status === 'complete' && [next.permit.acr, next.permit.amr], [
      'phr',
      ['pop', 'user', 'hwk', 'mfa'],
    ]);
  });

  for (const [title, next, expected] of table) {
    test(`A login opens no session if ${title}`, () => assert.deepEqual(next, expected));
  }

  test('A permit is for the proven user and tenant, and names the methods used', () => {
    const next = after({ password: 'good', mail: 'stale', generator: 'good', text: 'foreign' });
    assert.deepEqual(next, {
      status: 'complete',
      permit: {
        tenantId: TENANT,
        userId: ANA,
        authVersion: VERSION,
        authTime: new Date(NOW.getTime() + 2),
        acr: 'aal2',
        amr: ['pwd', 'otp', 'mfa'],
        provider: undefined,
      },
    });
  });

  test('A permit lists a method that was used twice once', () => {
    const twice = addProof(flowOf({ password: 'good' }), METHODS.password, SHOWN.good, NOW);
    const next = decide(twice, USER, POLICY);
    assert.deepEqual(next.status === 'complete' && next.permit.amr, ['pwd']);
    assert.deepEqual(decide(twice, { ...USER, hasSecondFactor: true }, POLICY), NEEDS_SECOND);
    const strict = { ...POLICY, requiresSecondFactor: true };
    assert.deepEqual(decide(twice, USER, strict), NEEDS_ENROLLMENT);
  });
});

test('One method is enough for a new user if a login with it would be', () => {
  const names = ['requiresSecondFactor', 'requiresVerifiedIdentifier'];
  const requirements = [...combinations(names, [false, true])];
  for (const method of Object.values(METHODS)) {
    const flow = addProof(newFlow(TENANT), method, SHOWN.good, NOW);
    for (const demand of requirements) {
      for (const allowed of [[], ['password'], ['magic_link', 'oauth']] as const) {
        const policy = { ...POLICY, ...demand, allowed_login_methods: [...allowed] };
        assert.equal(isEnough(method, policy), decide(flow, USER, policy).status === 'complete');
      }
    }
  }
});

test('A user of a captured domain starts with its provider, regardless of other proofs', () => {
  const policy = { ...POLICY, requiredProviders: [CORPORATE] };
  for (const provider of [CORPORATE, ELSEWHERE, undefined]) {
    for (const shown of combinations<Name, Quality>(WITH_TRUSTED, ['foreign', 'good'])) {
      const flow = throughProvider(flowOf(shown), provider);
      const isThere = shown.trusted === 'good' && provider === CORPORATE;
      assert.equal(decide(flow, USER, policy).status === 'complete', isThere);
      assert.deepEqual(decide({ ...flow, recovers: true }, USER, policy), NEEDS_FIRST);
    }
  }
  for (const name of NAMES) assert.equal(isEnough(METHODS[name], policy), false);
});

test('A login at another provider does not raise the login of a user of a captured domain to two factors', () => {
  const policy = { ...POLICY, requiresSecondFactor: true, requiredProviders: [CORPORATE] };
  const corporate = throughProvider(flowOf({ upstream: 'good' }), CORPORATE);
  const elsewhere = throughProvider(flowOf({ trusted: 'good' }), ELSEWHERE);
  const both = { ...corporate, proofs: [...corporate.proofs, ...elsewhere.proofs] };
  assert.deepEqual(decide(both, USER, policy), NEEDS_ENROLLMENT);
  assert.equal(decide(both, USER, { ...policy, requiredProviders: [] }).status, 'complete');
});

/** The flow with proofs that this provider vouched for. */
const throughProvider = (flow: Flow, provider: IdentityProviderId | undefined): Flow => ({
  ...flow,
  proofs: flow.proofs.map((p) => (p.method.kind === 'federated' ? { ...p, provider } : p)),
});
