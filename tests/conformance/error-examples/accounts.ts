import { mailedTo } from '../../harness/mailed.ts';
import {
  addPasskey,
  requestOptions,
  startPasskeyFlow,
  TestPasskey,
} from '../../harness/passkey.ts';
import { addAddress, recordTotp } from '../../harness/undo.ts';
import { createUserWith, exchange, delegate } from '../../harness/delegation.ts';
import { expectStatus } from '../../harness/http.ts';
import { RelyingParty } from '../../harness/relying-party.ts';
import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type { TestTenant } from '../../harness/tenant.ts';
import { addTotp, enrollTotp } from '../../harness/totp.ts';
import { proveSecondFactor, startSecondStep } from '../../harness/second-step.ts';
import { Visitor } from '../../harness/visitor.ts';
import { ADA, asAdmin, ID, PASSWORD, type Place, type Setup, type Setups } from './setup.ts';

const TEN_MINUTES = 600;
const TWENTY_KIB = 20 * 1024;
const LINKS = { magic_link_url: 'https://app.acme.example/link' };
const NEEDS_VERIFIED = { require_verified_identifier: true };

/** Ada of the examples, with the password of the examples. */
function ada(tenant: TestTenant, roles: readonly string[] = ['member']) {
  return tenant.createUser({ identifier: ADA, password: PASSWORD, roles });
}

/** The values of a flow. */
function flowValues({
  id,
  flow_token: token,
}: {
  readonly id: string;
  readonly flow_token: string;
}) {
  return { [`login_${ID}`]: id, '<flow_token>': token };
}

/** Starts a login of Ada. @returns the values of its flow */
async function newFlow(
  tenant: TestTenant,
  identifier = ADA,
): Promise<Readonly<Record<string, string>>> {
  const body = { identifier };
  const answer = await tenant.request<StartedFlow>('POST', '/auth/flows', { body });
  const { flow, flow_token } = expectStatus(201, answer);
  return flowValues({ id: flow.id, flow_token });
}

/** Ada, with a verified address, and a flow that has sent a message. */
async function messaged({ newTenant }: Place, identifier = ADA) {
  const tenant = await newTenant(LINKS);
  const { user } = await tenant.createUser({ identifier });
  const identifiers = [{ type: 'email', identifier, verified: true }];
  await asAdmin(tenant, 'PATCH', `/users/${user.id}`, { identifiers });
  const values = await newFlow(tenant, identifier);
  const path = `/auth/flows/${values[`login_${ID}`]}/message`;
  const body = { flow_token: values['<flow_token>'] };
  expectStatus(200, await tenant.request('POST', path, { body }));
  return { tenant, values };
}

async function impersonator({ keywright, acme }: Place): Promise<Setup> {
  const body = { tenant_id: acme.id, reason: 'Ticket 4711' };
  const { access_token: token = '' } = await asAdmin<{ access_token?: string }>(
    keywright.home,
    'POST',
    '/auth/impersonate',
    body,
  );
  return { token };
}

async function agentKey({ acme }: Place): Promise<Setup> {
  const { key } = await acme.createAgent({ scopes: ['write:agents'] });
  return { token: key };
}

/** The cookies of a system administrator's browser. */
async function consoleCookies({ keywright }: Place): Promise<Setup> {
  const browser = new Visitor(keywright.home, 'https://id.example.com');
  await browser.open('/t/org_default/console/login');
  const { identifier, password: secret } = keywright.admin;
  await browser.press('login', { identifier, secret });
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { values: { '<cookies of the console>': cookie } };
}

/** Examples about requests and access. */
export const ACCESS_SETUPS: Setups = {
  BODY_TOO_LARGE: () => ({
    file: JSON.stringify({ name: 'billing', description: 'x'.repeat(TWENTY_KIB), scopes: [] }),
  }),
  IDEMPOTENCY_KEY_REUSED: async ({ acme }) => {
    const options = {
      token: await acme.adminToken(),
      body: { name: 'other', scopes: [] },
      headers: { 'idempotency-key': 'create-role' },
    };
    expectStatus(201, await acme.request('POST', '/roles', options));
    return {};
  },
  TOO_MANY_ATTEMPTS: async ({ newTenant }) => ({ tenant: await newTenant(), times: 11 }),
  TENANT_INACTIVE: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    const token = await tenant.adminToken();
    await asAdmin(keywright.home, 'PATCH', `/tenants/${tenant.id}`, { is_active: false });
    return { tenant, token };
  },
  TENANT_MISMATCH: async ({ keywright }) => {
    await keywright.tenant('other');
    return {};
  },
  SCOPE_REQUIRED: async ({ acme }) => ({ token: (await acme.createUser()).token }),
  SCOPE_NOT_HELD: async ({ acme }) => ({
    token: (await createUserWith(acme, ['write:roles'])).token,
  }),
  PRINCIPAL_PROTECTED: async ({ acme }) => {
    const scopes = ['delete:users'];
    const user = await createUserWith(acme, scopes);
    const agent = await acme.createAgent({ scopes });
    await delegate(acme, user, agent, scopes);
    const { access_token: token } = expectStatus(200, await exchange(acme, agent, user.token));
    return { token, values: { [`user:${ID}`]: user.user.id } };
  },
  ADMINISTRATOR_REQUIRED: agentKey,
  USER_REQUIRED: agentKey,
  APPLICATION_REFUSED: async ({ acme }) => {
    const app = await RelyingParty.register(acme);
    const { accessToken } = await app.logIn(app.browser(), await acme.createUser());
    return { token: accessToken };
  },
  IMPERSONATION_REQUIRED: consoleCookies,
  IMPERSONATION_REFUSED: impersonator,
  SELF_VERIFICATION_REFUSED: async ({ acme }) => {
    const { user, token, identifier } = await createUserWith(acme, ['write:users']);
    return { token, values: { [`user:${ID}`]: user.id, 'me@example.com': identifier } };
  },
  STEP_UP_REQUIRED: async ({ keywright, acme }) => {
    const user = await acme.createUser();
    await enrollTotp(acme, user.token, keywright.clock);
    keywright.clock.advance(TEN_MINUTES);
    return { token: user.token };
  },
};

/** Examples about logins and accounts. */
export const ACCOUNT_SETUPS: Setups = {
  MFA_REQUIRED: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    await enrollTotp(tenant, (await ada(tenant)).token, keywright.clock);
    return { tenant };
  },
  VERIFICATION_REQUIRED: async ({ newTenant }) => {
    const tenant = await newTenant();
    await ada(tenant);
    await asAdmin(tenant, 'PATCH', `/tenants/${tenant.id}`, { config: NEEDS_VERIFIED });
    return { tenant };
  },
  FLOW_ENDED: () => ({ values: { '<flow_token>': 'flt_0' } }),
  STEP_NOT_NEEDED: async ({ newTenant }) => {
    const tenant = await newTenant();
    await ada(tenant);
    return { tenant, values: await newFlow(tenant) };
  },
  PASSKEY_REFUSED: async ({ newTenant }) => {
    const tenant = await newTenant();
    const { passkey } = await addPasskey(tenant, (await ada(tenant)).token);
    const started = await startPasskeyFlow(tenant);
    const { flow, flow_token } = started;
    const { key } = new TestPasskey();
    const credential = passkey.get(await requestOptions(tenant, started), { key });
    const file = JSON.stringify({ flow_token, credential });
    return { tenant, values: flowValues({ id: flow.id, flow_token }), file };
  },
  REFRESH_TOKEN_REUSED: async ({ keywright, acme }) => {
    const { refreshToken } = await acme.createUser();
    const body = { refresh_token: refreshToken };
    expectStatus(200, await acme.request('POST', '/auth/refresh', { body }));
    keywright.clock.advance(TEN_MINUTES);
    return { values: { '<used token>': refreshToken } };
  },
  NEW_PASSWORD_REQUIRED: async ({ newTenant }) => {
    const tenant = await newTenant({
      breached_passwords: 'off',
      breached_at_login: 'require',
      password_min_length: 8,
    });
    await tenant.createUser({ identifier: ADA, password: 'password123' });
    const config = { breached_passwords: 'list' };
    await asAdmin(tenant, 'PATCH', `/tenants/${tenant.id}`, { config });
    return { tenant };
  },
  CODE_WRONG: (place) => messaged(place),
  TOO_MANY_MESSAGES: (place) => messaged(place),
  LINK_ELSEWHERE: async (place) => {
    const identifier = 'link@example.com';
    const { tenant } = await messaged(place, identifier);
    const { linkToken } = await mailedTo(place.sink, identifier);
    return {
      tenant,
      values: { ...(await newFlow(tenant, identifier)), '<link_token>': linkToken },
    };
  },
  PROOF_REQUIRED: async ({ keywright, newTenant, sink }) => {
    const tenant = await newTenant();
    const change = await addAddress(sink, tenant, await tenant.createUser());
    await recordTotp(keywright, tenant, change, keywright.clock);
    return { tenant, values: { '<token of the link>': change.undoToken } };
  },
  USER_UNREACHABLE: async ({ newTenant }) => {
    const tenant = await newTenant(LINKS);
    return { tenant, values: { [`user:${ID}`]: (await tenant.createUser()).user.id } };
  },
  FACTOR_REQUIRED: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    const user = await tenant.createUser();
    const { factor, codes } = await enrollTotp(tenant, user.token, keywright.clock);
    await asAdmin(tenant, 'PATCH', `/tenants/${tenant.id}`, { config: { require_mfa: true } });
    const flow = await startSecondStep(tenant, user);
    const [code = ''] = codes;
    const answer = await proveSecondFactor(tenant, 'recovery-code', flow, code);
    const { access_token: token = '' } = expectStatus(200, answer);
    return { tenant, token, values: { [`fct_${ID}`]: factor.id } };
  },
  TOO_MANY_INVITATIONS: async ({ keywright, newTenant }) => {
    const tenant = await newTenant();
    await asAdmin(tenant, 'POST', '/invitations', { identifier: 'first@example.com' });
    await keywright.database.query(
      `INSERT INTO invitations (tenant_id, id, identifier, roles, workspaces, invited_by, inviter_kind, created_at,
                                expires_at, sent_at)
       SELECT tenant_id, 'inv_' || n, identifier, roles, workspaces, invited_by, inviter_kind, created_at,
              expires_at, sent_at
         FROM invitations, generate_series(1, 9999) AS n WHERE tenant_id = $1`,
      [tenant.id],
    );
    return { tenant };
  },
  TOO_MANY_FACTORS: async ({ acme }) => {
    const { token } = await acme.createUser();
    for (let count = 0; count < 20; count += 1) await addTotp(acme, token);
    return { token };
  },
  FACTOR_MISSING: async ({ acme }) => ({ token: (await acme.createUser()).token }),
  CURRENT_PASSWORD_WRONG: async ({ acme }) => ({ token: (await acme.createUser()).token }),
  IDENTIFIER_TAKEN: async ({ newTenant }) => {
    const tenant = await newTenant();
    await ada(tenant);
    return { tenant };
  },
  LAST_IDENTIFIER: async ({ newTenant }) => {
    const tenant = await newTenant();
    return { tenant, token: (await ada(tenant)).token };
  },
  IDENTIFIER_UNVERIFIED: async ({ newTenant }) => {
    const tenant = await newTenant();
    const user = await tenant.createUser({ identifier: 'new@example.com' });
    return { tenant, token: user.token };
  },
  ACCOUNT_DELETION_OFF: async ({ newTenant }) => {
    const tenant = await newTenant();
    return { tenant, token: (await ada(tenant)).token };
  },
  LAST_ADMINISTRATOR: async ({ newTenant }) => {
    const tenant = await newTenant();
    const { id } = await asAdmin<{ id: string }>(tenant, 'GET', '/me');
    return { tenant, values: { [`user:${ID}`]: id } };
  },
  ROLE_TAKEN: async ({ newTenant }) => {
    const tenant = await newTenant();
    await asAdmin(tenant, 'POST', '/roles', { name: 'billing', scopes: [] });
    return { tenant };
  },
  SLUG_TAKEN: async ({ keywright }) => ({ token: await keywright.adminToken() }),
  IN_USE: async ({ newTenant }) => {
    const tenant = await newTenant();
    await asAdmin(tenant, 'POST', '/roles', { name: 'billing', scopes: [] });
    const { user } = await tenant.createUser({ roles: ['billing'] });
    return { tenant, values: { [`user:${ID}`]: user.id } };
  },
};
