import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Acr } from '@keywright/contract/assurance';
import type { OAuthClientId, OAuthResourceId, SessionId, UserId } from '@keywright/contract/ids';
import { TENANT_RESOURCE } from '../resources/resource-directory.ts';
import { TenantResources, type Resource } from '../resources/resource-rules.ts';
import {
  type EarlierConsent,
  decideAuthorization,
  type UserActions,
  type CurrentLogin,
} from './authorization-decision.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { existingTargets } from './request-scopes.ts';

const NOW = new Date('2026-01-15T12:00:00.900Z');
const ALICE = 'user:01m817qnm0e599bza8yqh63kxq' as UserId;
const BOB = 'user:01m817qnm0e599bza8yqh63kxr' as UserId;
const SESSION = 'session:01m8184fs0eaf81caj1xgnzy8b' as SessionId;
const EARLIER = 'session:01m8184fs0eaf81caj1xgnzy8a' as SessionId;

const REQUEST: AuthorizationRequest = {
  redirectUri: 'https://app.example.com/callback',
  responseMode: 'query',
  state: undefined,
  clientId: 'client_01m81ehc7wfj4r8d2n6y0s5t3b' as OAuthClientId,
  scopes: ['openid', 'email', 'read:users', 'write:users'],
  targets: [],
  nonce: undefined,
  challenge: undefined,
  prompts: [],
  maxAge: undefined,
  acrValues: [],
  claims: { idToken: {}, userinfo: {} },
  loginHint: undefined,
  idTokenHint: undefined,
  uiLocales: [],
};
/** The scopes that Alice can grant. */
const OFFERED = ['openid', 'email', 'read:users'];
/** The origins to which she allows codes to be sent. */
const ORIGINS = ['https://app.example.com', 'http://localhost'];

interface Case {
  readonly request?: Partial<AuthorizationRequest>;
  readonly session?: Partial<CurrentLogin> | null;
  readonly consent?: Partial<EarlierConsent> | null;
  readonly resources?: readonly Resource[];
  readonly consentPolicy?: 'once' | 'always';
  readonly done?: UserActions;
  readonly expected?: UserId;
  readonly client?: 'spa';
  readonly firstParty?: boolean;
  readonly isPublic?: boolean;
  /** Types of authorization details that the client can request. */
  readonly types?: readonly string[];
}

function decide(scenario: Case) {
  const session: CurrentLogin = {
    sessionId: SESSION,
    userId: ALICE,
    authTime: new Date('2026-01-15T11:59:00.100Z'),
    acr: 'aal1',
    scopes: ['read:*'],
    ...scenario.session,
  };
  return decideAuthorization({
    request: { ...REQUEST, ...scenario.request },
    client: {
      kind: scenario.client ?? 'web',
      first_party: scenario.firstParty ?? false,
      authorization_details_types: [...(scenario.types ?? [])],
      token_endpoint_auth_method: scenario.isPublic ? 'none' : 'client_secret_basic',
    },
    login: scenario.session === null ? undefined : session,
    targets: existingTargets(
      scenario.request?.targets ?? [],
      new TenantResources(scenario.resources ?? []),
    ),
    consentPolicy: scenario.consentPolicy ?? 'once',
    consent:
      scenario.consent === null
        ? undefined
        : { scopes: OFFERED, at: [], redirectOrigins: ORIGINS, ...scenario.consent },
    done: scenario.done ?? {},
    expected: scenario.expected,
    now: NOW,
  });
}

/** `granted`, the page, or the error. */
function decisionOf(scenario: Case): string {
  const decision = decide(scenario);
  if (decision.kind === 'page') return decision.page;
  return decision.kind === 'error' ? decision.error : decision.kind;
}

const none = (request: Partial<AuthorizationRequest> = {}) => ({
  request: { ...request, prompts: ['none'] as const },
});
const NEW: UserActions = { login: SESSION };
const weak = (acr: Acr, acrValues: Acr[]): Case => ({ session: { acr }, request: { acrValues } });

/** RFC 8252 §8.6. */
function onDevice(): (readonly [string, string, Case])[] {
  const at = (redirectUri: string, more: Case = {}): Case => ({
    isPublic: true,
    firstParty: true,
    ...more,
    request: { redirectUri, ...more.request },
  });
  const loopback = 'http://127.0.0.1:49152/callback';
  const key = 'A'.repeat(43);
  return [
    ['a public client at the loopback address', 'confirm', at(loopback)],
    ['a public client at the scheme of an app', 'confirm', at('com.example.app:/callback')],
    ['one that the user consented to earlier', 'confirm', at(loopback, { firstParty: false })],
    ['one with a key of its own choice', 'confirm', at(loopback, { request: { jkt: key } })],
    ['one, without a page', 'interaction_required', at(loopback, none())],
    ['one, after a login for it', 'granted', at(loopback, { done: NEW })],
    ['one, after a consent for it', 'granted', at(loopback, { done: { consent: SESSION } })],
    ['one, after its confirmation', 'granted', at(loopback, { done: { selection: SESSION } })],
    ['one, after another login', 'confirm', at(loopback, { done: { login: EARLIER } })],
    ['a public client at a claimed https address', 'granted', at('https://app.example.com/cb')],
    ['a first-party browser app in development', 'granted', at(loopback, { client: 'spa' })],
    [
      'a browser app of others at the loopback address',
      'confirm',
      at(loopback, { client: 'spa', firstParty: false }),
    ],
    [
      'a client with a secret at the loopback address',
      'granted',
      at(loopback, { isPublic: false }),
    ],
  ];
}

/** A client can get redirect URIs that its users have not seen. */
function atAddresses(): (readonly [string, string, Case])[] {
  const at = (redirectUri: string, more: Case = {}): Case => ({
    ...more,
    request: { redirectUri, ...more.request },
  });
  const elsewhere = 'https://elsewhere.example/callback';
  const device = { id: 'x', userCode: 'x', address: 'x', startedAt: 0 };
  return [
    ['a consent to another path of its host', 'granted', at('https://app.example.com/silent')],
    ['a consent to another host', 'consent', at(elsewhere)],
    ['a consent to another host, without a page', 'consent_required', at(elsewhere, none())],
    ['a consent to another port', 'consent', at('https://app.example.com:8443/callback')],
    ['a consent to another port of the loopback address', 'granted', at('http://[::1]:1/callback')],
    ['a consent to the scheme of no app', 'consent', at('com.example.app:/callback')],
    [
      'a consent to the scheme of another app',
      'consent',
      at('com.evil.app://app.example.com/', { consent: { redirectOrigins: ['com.example.app:'] } }),
    ],
    ['a consent that names no address', 'consent', { consent: { redirectOrigins: [] } }],
    ['a first-party client at a new address', 'granted', at(elsewhere, { firstParty: true })],
    [
      'a device, which returns nowhere',
      'granted',
      at('', { request: { device }, consent: { redirectOrigins: [] }, done: { consent: SESSION } }),
    ],
  ];
}

const CASES: readonly (readonly [string, string, Case])[] = [
  ['who is logged in and consented before', 'granted', {}],
  ['a browser without a login', 'login', { session: null }],
  ['a browser without a login, without a page', 'login_required', { session: null, ...none() }],
  [
    'a browser without a login, for a new account',
    'register',
    { session: null, request: { prompts: ['create'] } },
  ],
  ['a user, without a page', 'granted', none()],

  ...onDevice(),

  ['prompt=login', 'login', { request: { prompts: ['login'] } }],
  ['prompt=login after it', 'granted', { request: { prompts: ['login'] }, done: NEW }],
  [
    'prompt=login after another login',
    'login',
    { request: { prompts: ['login'] }, done: { login: EARLIER } },
  ],
  ['prompt=create with a session', 'login', { request: { prompts: ['create'] } }],

  ['a login that is new enough', 'granted', { request: { maxAge: 60 } }],
  ['a login that is too old', 'login', { request: { maxAge: 59 } }],
  ['a login that is too old, without a page', 'login_required', none({ maxAge: 59 })],
  ['max_age=0', 'login', { request: { maxAge: 0 } }],
  ['max_age=0 after it', 'granted', { request: { maxAge: 0 }, done: NEW }],

  ['acr that is enough', 'granted', weak('aal2', ['aal1'])],
  ['one acr of several that is enough', 'granted', weak('aal2', ['phr', 'aal2'])],
  ['acr that is not enough', 'login', weak('aal1', ['aal2'])],
  [
    'acr that is not enough after it',
    'unmet_authentication_requirements',
    { ...weak('aal1', ['aal2']), done: NEW },
  ],
  [
    'acr that is not enough, without a page',
    'unmet_authentication_requirements',
    none({ acrValues: ['aal2'] }),
  ],

  ['whom the client expects', 'granted', { expected: ALICE }],
  ['a user other than the client expects', 'login', { expected: BOB }],
  ['another user, without a page', 'login_required', { expected: BOB, ...none() }],
  ['another user, who logged in for it', 'login_required', { expected: BOB, done: NEW }],

  ['prompt=select_account', 'select_account', { request: { prompts: ['select_account'] } }],
  [
    'prompt=select_account after it',
    'granted',
    { request: { prompts: ['select_account'] }, done: { selection: SESSION } },
  ],
  [
    'prompt=select_account after a choice in another session',
    'select_account',
    { request: { prompts: ['select_account'] }, done: { selection: EARLIER } },
  ],
  [
    'prompt=select_account after a login',
    'granted',
    { request: { prompts: ['select_account'] }, done: NEW },
  ],

  ...atAddresses(),

  ['no consent so far', 'consent', { consent: null }],
  ['no consent so far, without a page', 'consent_required', { consent: null, ...none() }],
  ['consent to less', 'consent', { consent: { scopes: ['openid', 'email'] } }],
  ['consent to more', 'granted', { consent: { scopes: ['openid', 'email', '*:*'] } }],
  ['a tenant that always asks', 'consent', { consentPolicy: 'always' }],
  [
    'a tenant that always asks, without a page',
    'consent_required',
    { consentPolicy: 'always', ...none() },
  ],
  [
    'a tenant that always asks, after it',
    'granted',
    { consentPolicy: 'always', done: { consent: SESSION } },
  ],
  ['a first-party client of one', 'granted', { consentPolicy: 'always', firstParty: true }],
  ['prompt=consent', 'consent', { request: { prompts: ['consent'] } }],
  [
    'prompt=consent after it',
    'granted',
    { request: { prompts: ['consent'] }, done: { consent: SESSION } },
  ],
  [
    'prompt=consent after that of another session',
    'consent',
    { request: { prompts: ['consent'] }, done: { consent: EARLIER } },
  ],
  ['a first-party client', 'granted', { consent: null, firstParty: true }],
  [
    'a first-party client that asks for consent',
    'granted',
    { consent: null, firstParty: true, request: { prompts: ['consent'] } },
  ],
  [
    'nothing that the user can give',
    'invalid_scope',
    { request: { scopes: ['write:users', 'delete:roles'] } },
  ],
];

describe('the decision on a request', () => {
  for (const [what, expected, scenario] of CASES) {
    test(`A request for ${what} leads to: ${expected}`, () =>
      assert.equal(decisionOf(scenario), expected));
  }

  test('A user grants only the scopes that they hold', () => {
    const decision = decide({});
    assert.ok(decision.kind === 'granted');
    assert.deepEqual([decision.scopes, decision.session.userId], [OFFERED, ALICE]);
  });

  test('A request for more scopes shows the new ones first, and lists all of them', () => {
    const decision = decide({ consent: { scopes: ['openid'] } });
    assert.ok(decision.kind === 'page' && decision.page === 'consent');
    assert.deepEqual([decision.scopes, decision.added.scopes], [OFFERED, ['email', 'read:users']]);
  });

  test('A request with prompt=none never leads to a page', () => {
    for (const [what, , scenario] of CASES) {
      const decision = decide({ ...scenario, request: { ...scenario.request, prompts: ['none'] } });
      assert.notEqual(decision.kind, 'page', what);
    }
  });
});

describe('the decision on a request for a resource', () => {
  const resource = (id: string, scopes: Resource['scopes']): Resource => ({
    id: `res_${id}` as OAuthResourceId,
    uri: `https://${id}.example.com`,
    name: id,
    scopes,
    tokenTtlSeconds: undefined,
    algorithm: 'EdDSA',
    typ: 'at+jwt',
    isDpopRequired: false,
    detailsTypes: [],
    servedBy: [],
  });
  const said = { description: 'x' };
  const FILES = resource('files', [
    { name: 'files:share', ...said, requires: 'write:files' },
    { name: 'files:list', ...said, requires: null },
    { name: 'read:users', ...said },
  ]);
  const MAIL = resource('mail', [{ name: 'files:list', ...said }]);
  const resources = [FILES, MAIL];
  const requestFor = (targets: AuthorizationRequest['targets'], scopes?: string[]) => ({
    targets,
    scopes: scopes ?? ['openid', 'read:users', 'write:users', 'files:share', 'files:list'],
  });

  function shown(scenario: Case) {
    const decision = decide({ resources, ...scenario });
    assert.ok(decision.kind === 'page' && decision.page === 'consent', JSON.stringify(decision));
    return decision;
  }
  const idsOf = (
    at: readonly { readonly resource: Resource; readonly scopes: readonly string[] }[],
  ) => at.map((entry) => [entry.resource.name, ...entry.scopes]);

  test('A request for a resource asks for the scopes that the user can grant there, and for none of the tenant', () => {
    const { scopes, at } = shown({ request: requestFor([FILES.id]) });
    assert.deepEqual([scopes, idsOf(at)], [['openid'], [['files', 'files:list', 'read:users']]]);
    const session = { scopes: ['*:files', 'read:users'] };
    const more = shown({ session, request: requestFor([FILES.id, TENANT_RESOURCE]) });
    assert.deepEqual(more.scopes, ['openid', 'read:users']);
    assert.deepEqual(idsOf(more.at), [['files', 'files:share', 'files:list', 'read:users']]);
  });

  test('A scope that is allowed at one resource is not allowed at another', () => {
    const at = [{ resourceId: FILES.id, scopes: ['files:list', 'read:users'] }];
    const consent = { scopes: ['openid'], at };
    assert.equal(decisionOf({ resources, consent, request: requestFor([FILES.id]) }), 'granted');
    const { added } = shown({ consent, request: requestFor([FILES.id, MAIL.id]) });
    assert.deepEqual([added.scopes, idsOf(added.at)], [[], [['mail', 'files:list']]]);
    const allowed = { ...consent, scopes: ['openid', 'files:list', '*:*'], at: [] };
    assert.equal(
      decisionOf({ resources, consent: allowed, request: requestFor([FILES.id]) }),
      'consent',
    );
  });

  test('A request for a resource asks for consent even if it contains no scope of the resource', () => {
    const request = requestFor([FILES.id], ['openid']);
    assert.deepEqual(idsOf(shown({ consent: { scopes: ['openid'] }, request }).at), [['files']]);
    const consent = { scopes: ['openid'], at: [{ resourceId: FILES.id, scopes: [] }] };
    assert.equal(decisionOf({ resources, consent, request }), 'granted');
  });

  test('A request for a resource that was deleted in the meantime is an error', () => {
    assert.equal(
      decisionOf({ resources: [MAIL], request: requestFor([FILES.id]) }),
      'invalid_target',
    );
  });

  test('A request with authorization details asks each time, and is an error after their type has changed', () => {
    const field = { name: 'to', label: 'To', kind: 'string' } as const;
    const type = { type: 'pay', name: 'Pay', description: 'Pay once', fields: [field] };
    const bank = (detailsTypes: Resource['detailsTypes']) => ({ ...FILES, detailsTypes });
    const details = [{ type: 'pay', to: 'Bob' }];
    const request = { ...requestFor([FILES.id], ['openid']), details };
    const consent = { scopes: ['openid'], at: [{ resourceId: FILES.id, scopes: [] }] };
    const scenario = { request, consent, resources: [bank([type])], types: ['pay'] };
    assert.equal(decisionOf(scenario), 'consent');
    const done = { consent: SESSION };
    assert.equal(decisionOf({ ...scenario, done }), 'granted');
    for (const [what, change] of Object.entries({
      'the type is gone': { resources: [bank([])] },
      'the field is gone': { resources: [bank([{ ...type, fields: [] }])] },
      'the value is gone': {
        resources: [bank([{ ...type, fields: [{ ...field, values: ['Eve'] }] }])],
      },
      'the client lost it': { types: [] },
    })) {
      const now = { ...scenario, ...change };
      for (const when of [{}, { done }, { firstParty: true }]) {
        assert.equal(decisionOf({ ...now, ...when }), 'invalid_authorization_details', what);
      }
    }
  });
});
