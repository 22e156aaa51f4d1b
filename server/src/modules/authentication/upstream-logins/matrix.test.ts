// The outcome of a login at a provider, by the properties of the user and the provider.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { IdentityProviderId, TenantId, UserId } from '@keywright/contract/ids';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { createUserWith } from '@keywright/tests/harness/delegation';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { claimsOf } from '@keywright/tests/harness/token';
import { enrollTotp, totpOf } from '@keywright/tests/harness/totp';
import {
  addProvider,
  startUpstreamFlow,
  type FakeProvider,
  flowStep,
  proveUpstream,
  startFakeProvider,
  type UpstreamAnswer,
  UPSTREAM_CONFIG,
} from '@keywright/tests/harness/upstream';
import { METHODS, addProof, newFlow, decide } from '../proofs/proof-rules.ts';
import { planOf } from './upstream-login-rules.ts';

/**
 * Left: the link policy of the provider, or `linked` for an identity that the user has; whether a role of the user carries
 * a scope; whether the address of the identity is verified here, and whether the provider decides who has it.
 * Right: the outcome for a user without and with a second factor. The provider reports two factors; `trusted`: it has
 * `trust_mfa`.
 *
 * aal1, aal2: a session. own factor: the user first enters their second factor. own proof: the user first proves the account
 * with one of its own methods. refused: 400 or 401.
 */
const MATRIX = `
  link   | scopes | address    | provider      || no factor | trusted   | factor     | trusted
  ------ | ------ | ---------- | ------------- || --------- | --------- | ---------- | ----------
  linked | none   | verified   | authoritative || aal1      | aal2      | own factor | aal2
  linked | some   | verified   | authoritative || aal1      | aal2      | own factor | own factor
  linked | none   | verified   | any           || aal1      | aal2      | own factor | aal2
  linked | some   | verified   | any           || aal1      | aal2      | own factor | own factor
  linked | none   | unverified | authoritative || aal1      | aal2      | own factor | aal2
  linked | some   | unverified | authoritative || aal1      | aal2      | own factor | own factor
  linked | none   | unverified | any           || aal1      | aal2      | own factor | aal2
  linked | some   | unverified | any           || aal1      | aal2      | own factor | own factor
  auto   | none   | verified   | authoritative || aal1      | aal2      | own factor | aal2
  auto   | some   | verified   | authoritative || own proof | own proof | own proof  | own proof
  auto   | none   | verified   | any           || own proof | own proof | own proof  | own proof
  auto   | some   | verified   | any           || own proof | own proof | own proof  | own proof
  auto   | none   | unverified | authoritative || aal1      | aal2      | aal1       | aal2
  auto   | some   | unverified | authoritative || own proof | own proof | own proof  | own proof
  auto   | none   | unverified | any           || refused   | refused   | refused    | refused
  auto   | some   | unverified | any           || refused   | refused   | refused    | refused
  ask    | none   | verified   | authoritative || own proof | own proof | own proof  | own proof
  ask    | some   | verified   | authoritative || own proof | own proof | own proof  | own proof
  ask    | none   | verified   | any           || own proof | own proof | own proof  | own proof
  ask    | some   | verified   | any           || own proof | own proof | own proof  | own proof
  ask    | none   | unverified | authoritative || aal1      | aal2      | aal1       | aal2
  ask    | some   | unverified | authoritative || own proof | own proof | own proof  | own proof
  ask    | none   | unverified | any           || refused   | refused   | refused    | refused
  ask    | some   | unverified | any           || refused   | refused   | refused    | refused
  never  | none   | verified   | authoritative || refused   | refused   | refused    | refused
  never  | some   | verified   | authoritative || refused   | refused   | refused    | refused
  never  | none   | verified   | any           || refused   | refused   | refused    | refused
  never  | some   | verified   | any           || refused   | refused   | refused    | refused
  never  | none   | unverified | authoritative || aal1      | aal2      | aal1       | aal2
  never  | some   | unverified | authoritative || refused   | refused   | refused    | refused
  never  | none   | unverified | any           || refused   | refused   | refused    | refused
  never  | some   | unverified | any           || refused   | refused   | refused    | refused
`;

const LINKS = ['linked', 'auto', 'ask', 'never'] as const;

interface Row {
  readonly text: string;
  readonly link: (typeof LINKS)[number];
  readonly holdsScopes: boolean;
  readonly isVerified: boolean;
  readonly isAuthoritative: boolean;
  readonly cells: readonly Cell[];
}

interface Cell {
  readonly hasSecondFactor: boolean;
  readonly isTrusted: boolean;
  readonly outcome: string;
}

/** The columns: whether the user has a second factor, and whether the provider has `trust_mfa`. */
const FACTORS = [
  [false, false],
  [false, true],
  [true, false],
  [true, true],
] as const;

const ROWS: readonly Row[] = MATRIX.trim()
  .split('\n')
  .slice(2)
  .map((line) => {
    const [left = '', right = ''] = line.split('||');
    const [link = '', scopes, address, provider] = left.split('|').map((cell) => cell.trim());
    const outcomes = right.split('|').map((cell) => cell.trim());
    const cells = FACTORS.map(([hasSecondFactor, isTrusted], place) => {
      const outcome = outcomes[place] ?? '';
      return { hasSecondFactor, isTrusted, outcome };
    });
    return {
      text: `${link}, ${scopes === 'none' ? 'no' : 'with'} scopes, ${address} address, ${provider} provider`,
      link: LINKS.find((candidate) => candidate === link) ?? assert.fail(line),
      holdsScopes: scopes === 'some',
      isVerified: address === 'verified',
      isAuthoritative: provider === 'authoritative',
      cells,
    };
  });

test('The matrix of logins at providers has every combination once', () => {
  assert.equal(new Set(ROWS.map(({ text }) => text)).size, LINKS.length * 2 ** 3);
  assert.equal(ROWS.length, LINKS.length * 2 ** 3);
});

describe('by the rules, a login at a provider has the outcome of the matrix:', () => {
  for (const row of ROWS) {
    test(row.text, () => {
      for (const cell of row.cells) {
        assert.equal(outcomeByRules(row, cell), cell.outcome, JSON.stringify(cell));
      }
    });
  }

  const ANA = 'user:ana' as UserId;
  const TENANT = 'org_matrix' as TenantId;

  function outcomeByRules(row: Row, { hasSecondFactor, isTrusted }: Cell): string {
    const found = { id: ANA, isActive: true, authVersion: 1 };
    const { isVerified, isAuthoritative, holdsScopes } = row;
    const addressUser = { ...found, isVerified, holdsScopes, hasOthers: false, hasIdentity: false };
    const isLinked = row.link === 'linked';
    const plan = planOf(
      { config: { allow_registration: true } },
      {
        purpose: 'login',
        identifier: '',
        user: undefined,
        registers: true,
        workspaceId: undefined,
      },
      {
        identity: {
          subject: 'ana',
          source: 'here',
          name: null,
          picture: null,
          email: 'ana@corp.example',
          is_verified: true,
          is_authoritative: isAuthoritative,
          is_proven: false,
          has_mfa: true,
        },
        link: row.link === 'linked' ? 'ask' : row.link,
        linked: isLinked ? found : undefined,
        addressUser: isLinked ? undefined : addressUser,
        isCapturedElsewhere: false,
        isCaptor: false,
      },
    );
    if ('reason' in plan) return 'refused';
    if (plan.use === 'ask') return 'own proof';
    assert.ok(plan.use === 'prove' || plan.use === 'link' || plan.use === 'reclaim', plan.use);
    const shown = { userId: ANA, authVersion: 1 };
    const method = isTrusted ? METHODS.upstream_mfa : METHODS.upstream;
    const next = decide(
      addProof(newFlow(TENANT), method, shown, new Date()),
      {
        id: ANA,
        isActive: true,
        authVersion: 1,
        // An account that was taken over has lost its factors.
        hasSecondFactor: hasSecondFactor && plan.use !== 'reclaim',
        hasPasskey: false,
        hasVerifiedIdentifier: isVerified,
        hasMailbox: false,
        factorChannels: [],
      },
      {
        allowed_login_methods: ['oauth'],
        mfa_methods: ['totp'],
        requiresSecondFactor: false,
        requiresEnrolledFactor: holdsScopes,
        requiresVerifiedIdentifier: false,
        requiredProviders: [],
      },
    );
    if (next.status === 'complete') return next.permit.acr;
    return next.status === 'needs' && next.step === 'second_factor' ? 'own factor' : next.status;
  }
});

describe('in the service, a login at an authoritative provider has the outcome of the matrix:', () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let provider: FakeProvider;
  const records = new Map<string, IdentityProviderRecord>();
  let people = 0;

  before(async () => {
    keywright = await startKeywright({
      clock: 'fake',
      env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' },
    });
    provider = await startFakeProvider();
    provider.now = () => keywright.clock.now().getTime();
    tenant = await keywright.tenant('matrix', { config: UPSTREAM_CONFIG });
    for (const link of ['auto', 'ask', 'never'] as const) {
      for (const trust_mfa of [false, true]) {
        const fields = { link, trust_mfa, domains: ['example.com'] };
        records.set(`${link} ${trust_mfa}`, await addProvider(tenant, provider, fields));
      }
    }
  });
  after(async () => {
    await keywright.close();
    await provider.close();
  });

  for (const row of ROWS.filter((candidate) => candidate.isAuthoritative)) {
    for (const cell of row.cells.filter((candidate) => candidate.isTrusted)) {
      const factor = cell.hasSecondFactor ? 'a factor' : 'no factor';
      test(`${row.text}, ${factor}, trusted: ${cell.outcome}`, () => check(row, cell));
    }
  }

  async function check(row: Row, cell: Cell): Promise<void> {
    const user = await newUser(row.holdsScopes);
    const link = row.link === 'linked' ? 'ask' : row.link;
    const record = records.get(`${link} ${cell.isTrusted}`) ?? assert.fail(link);
    people += 1;
    const sub = `subject-${people}`;
    if (row.link === 'linked') await linkTo(user, record.id, sub);
    const totp = cell.hasSecondFactor
      ? await enrollTotp(tenant, user.token, keywright.clock)
      : undefined;
    keywright.clock.advance(60);
    await setVerified(user, row.isVerified);
    await keywright.database.query('DELETE FROM login_attempts');
    const flow = await startUpstreamFlow(tenant);
    const person = { sub, email: user.identifier, email_verified: true, amr: ['mfa'] };
    const answer = await proveUpstream(tenant, flow, { provider, record }, person);
    assert.equal(outcomeOf(answer), cell.outcome, answer.text);
    let last = answer;
    if (cell.outcome === 'own proof') {
      last = await flowStep(tenant, flow, 'password', { secret: user.password });
    }
    if (cell.outcome.startsWith('own') && totp) {
      assert.equal(last.body.access_token, undefined);
      const code = totpOf(totp.secret, keywright.clock.now());
      last = await flowStep(tenant, flow, 'totp', { code });
    }
    if (cell.outcome !== 'refused') assert.equal(expectStatus(200, last).user?.id, user.user.id);
  }

  function outcomeOf({ status, body }: UpstreamAnswer): string {
    if (status !== 200) return 'refused';
    if (body.access_token) return claimsOf(body.access_token).acr ?? '';
    return body.flow.purpose === 'linking' ? 'own proof' : 'own factor';
  }

  function newUser(holdsScopes: boolean): Promise<TestUser> {
    return holdsScopes ? createUserWith(tenant, ['read:reports']) : tenant.createUser();
  }

  /** Bypasses the API, where users link their own identities. */
  async function linkTo({ user }: TestUser, id: IdentityProviderId, sub: string): Promise<void> {
    await keywright.database.query(
      `INSERT INTO user_credentials (tenant_id, user_id, type, provider, external_id) VALUES ($1, $2, 'oauth', $3, $4)`,
      [tenant.id, user.id, id, sub],
    );
  }

  async function setVerified({ user, identifier }: TestUser, verified: boolean): Promise<void> {
    const options = {
      token: await tenant.adminToken(),
      body: { identifiers: [{ identifier, verified }] },
    };
    expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, options));
  }
});
