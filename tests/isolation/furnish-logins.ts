// What the world of the matrix has for logins in steps.

import type { StartedFlow } from '@keywright/contract/records/login-flow';
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
} from '@keywright/contract/records/passkey';
import { newUndoId } from '@keywright/server/modules/events/messages/message-secrets';
import { newInvitationId } from '@keywright/server/platform/crypto/ids';
import { type JsonBody, expectStatus } from '../harness/http.ts';
import { newIdentifier } from '../harness/credentials.ts';
import { startSecondStep } from '../harness/second-step.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import type { SecretsOf, SecretsWatch } from '../harness/message-secrets.ts';
import {
  addPasskey,
  startPasskeyFlow,
  creationOptions,
  requestOptions,
  TestPasskey,
} from '../harness/passkey.ts';
import { addTotp, enrollTotp, totpOf } from '../harness/totp.ts';

export interface LoginFurniture {
  /** Authenticators that are not confirmed. */
  readonly factorIds: { readonly ofAdmin: string; readonly ofMember: string };
  /** The code of the authenticator that was added last. */
  readonly lastTotpCode: () => string;
  /** A flow of the member that is not continued. */
  readonly flowId: string;
  /** The secret of the flow that was started last. */
  readonly lastFlowToken: () => string;
  /** Starts a login, proves its password, and leaves it waiting for a second factor. */
  readonly startSecondStep: () => Promise<string>;
  /** The body that completes the login that was started last. */
  readonly lastSecondStep: (step: 'totp' | 'recovery_code') => {
    readonly flow_token: string;
    readonly code: string;
  };
  /** Starts a login that requires an enrollment. */
  readonly startEnrollment: () => Promise<string>;
  /** The body that completes the enrollment that was started last. */
  readonly lastEnrollment: () => Promise<{ readonly flow_token: string; readonly code: string }>;
  /** The body that completes the enrollment with a passkey. */
  readonly lastPasskeyEnrollment: () => Promise<PasskeyBody<PasskeyRegistration>>;
  /** Starts a login with the passkey of a new user. */
  readonly startPasskey: () => Promise<string>;
  /** The body that completes the passkey login that was started last. */
  readonly lastPasskey: () => PasskeyBody<PasskeyAssertion>;
  /** A passkey that the admin can add. */
  readonly newPasskey: () => Promise<PasskeyRegistration>;
  /** Starts a login and sends its message. */
  readonly startMessage: () => Promise<string>;
  /** Starts a recovery that requires a new password. */
  readonly startRecovery: () => Promise<string>;
  /** The body that completes the message login that was started last. */
  readonly lastMessage: () => {
    readonly flow_token: string;
    readonly code: string;
    readonly link_token: string;
  };
  /** Requests the code that verifies a new address of the admin. */
  readonly requestIdentifierCode: () => Promise<{
    readonly identifier: string;
    readonly code: string;
  }>;
  /** A new user with a verified address, in a tenant whose links have a page. */
  readonly reachable: () => Promise<string>;
  /** The token of an invitation. */
  readonly tokenOf: (id: string) => Promise<string>;
  /** Changes the identifiers of a new user. @returns a token that reverts the change */
  readonly changeIdentifiers: () => Promise<string>;
  /** Does the same for a user who had a passkey. */
  readonly changeWithPasskey: () => Promise<string>;
  /** Adds an identifier to the admin. @returns it */
  readonly giveIdentifier: (isVerified?: boolean) => Promise<string>;
  /** Pending. */
  readonly invitationId: string;
  /** Of a second one. */
  readonly invitedAddress: string;
  /** Makes another one. */
  readonly invite: (identifier?: string) => Promise<string>;
  /** Adds an authenticator to the admin. The admin's next login removes it. */
  enrollTotp(): Promise<unknown>;
  /** Each returns the id of the created record. */
  addTotp(user: TestUser): Promise<string>;
  /** Of the member. */
  startFlow(): Promise<string>;
  /** Of the member, complete. */
  completeFlow(): Promise<string>;
}

/** A flow of the member, and more on demand. */
export async function furnishFlows(
  tenant: TestTenant,
  { identifier, password: secret }: TestUser,
): Promise<Pick<LoginFurniture, 'flowId' | 'startFlow' | 'completeFlow' | 'lastFlowToken'>> {
  let last = '';
  const startFlow = async () => {
    const body = { identifier };
    const { flow, flow_token } = expectStatus(
      201,
      await tenant.request<StartedFlow>('POST', '/auth/flows', { body }),
    );
    last = flow_token;
    return flow.id;
  };
  const completeFlow = async () => {
    const id = await startFlow();
    const body = { flow_token: last, secret };
    expectStatus(200, await tenant.request('POST', `/auth/flows/${id}/password`, { body }));
    return id;
  };
  return { flowId: await startFlow(), startFlow, completeFlow, lastFlowToken: () => last };
}

const PERIOD_MS = 30_000;

/** Flows of new users that wait for the second factor. */
export function furnishSecondSteps(
  { clock }: Keywright,
  tenant: TestTenant,
): Pick<LoginFurniture, 'startSecondStep' | 'lastSecondStep'> {
  let last = { token: '', totp: '000000', recoveryCode: '0'.repeat(24) };
  return {
    startSecondStep: async () => {
      const user = await tenant.createUser();
      const { secret, codes } = await enrollTotp(tenant, user.token, clock);
      const { id, flow_token: token = '' } = await startSecondStep(tenant, user);
      // The code of this time step was used.
      const totp = totpOf(secret, new Date(clock.now().getTime() + PERIOD_MS));
      last = { token, totp, recoveryCode: codes[0] ?? '' };
      return id;
    },
    lastSecondStep: (step) => ({
      flow_token: last.token === '' ? 'lft_none' : last.token,
      code: step === 'totp' ? last.totp : last.recoveryCode,
    }),
  };
}

/** Two authenticators each of the admin and the member, none of which is confirmed. */
export async function furnishFactors(
  { clock, database }: Keywright,
  tenant: TestTenant,
  admin: TestUser,
  member: TestUser,
): Promise<Pick<LoginFurniture, 'factorIds' | 'addTotp' | 'enrollTotp' | 'lastTotpCode'>> {
  let last = '';
  const add = async ({ identifier, password }: TestUser) => {
    const { access_token: token } = await tenant.login(identifier, password);
    const { factor, secret } = await addTotp(tenant, token);
    last = secret;
    return factor.id;
  };
  const [ofAdmin, ofMember] = [await add(admin), await add(member)];
  for (const user of [admin, member]) await add(user);
  return {
    factorIds: { ofAdmin, ofMember },
    addTotp: add,
    lastTotpCode: () => totpOf(last, clock.now()),
    enrollTotp: async () => {
      const { access_token: token } = await tenant.login(admin.identifier, admin.password);
      await enrollTotp(tenant, token, clock);
      // Sessions that started with a password alone remain valid for the following requests.
      await database.query('UPDATE users SET has_second_factor = false WHERE id = $1', [
        admin.user.id,
      ]);
    },
  };
}

/** Flows of new users without a second factor, which must enroll one. */
export function furnishEnrollments(
  { clock }: Keywright,
  tenant: TestTenant,
): Pick<LoginFurniture, 'startEnrollment' | 'lastEnrollment' | 'lastPasskeyEnrollment'> {
  let last: StartedFlow | undefined;
  const step = <Body = JsonBody>(name: string, body: object = {}) => {
    const path = `/auth/flows/${last?.flow.id}/${name}`;
    return tenant.request<Body>('POST', path, { body: { flow_token: last?.flow_token, ...body } });
  };
  return {
    startEnrollment: async () => {
      const { identifier, password: secret } = await tenant.createUser();
      const body = { identifier, acr: 'aal2' };
      last = expectStatus(201, await tenant.request<StartedFlow>('POST', '/auth/flows', { body }));
      expectStatus(200, await step('password', { secret }));
      return last.flow.id;
    },
    lastEnrollment: async () => {
      if (!last) return { flow_token: 'lft_none', code: '000000' };
      const answer = await step<{ secret?: string }>('enroll/totp');
      const { secret } = answer.body;
      const code = secret === undefined ? '000000' : totpOf(secret, clock.now());
      return { flow_token: last.flow_token, code };
    },
    lastPasskeyEnrollment: async () => {
      const passkey = new TestPasskey();
      if (!last) return { flow_token: 'lft_none', credential: passkey.create(NO_CREATION) };
      const answer = await step<{ options?: PasskeyCreationOptions }>('enroll/passkey/options');
      const credential = passkey.create(answer.body.options ?? NO_CREATION);
      return { flow_token: last.flow_token, credential };
    },
  };
}

interface PasskeyBody<Credential> {
  readonly flow_token: string;
  readonly credential: Credential;
}

const NO_CREATION = { challenge: 'none', rp: { id: 'example.com' }, user: { id: 'none' } };

/** Flows of new users with a passkey, and new passkeys for the admin. */
export function furnishPasskeys(
  tenant: TestTenant,
  admin: TestUser,
): Pick<LoginFurniture, 'startPasskey' | 'lastPasskey' | 'newPasskey'> {
  const none = new TestPasskey().get({ challenge: 'none', rpId: 'example.com' });
  let last = { flow_token: 'lft_none', credential: none };
  return {
    startPasskey: async () => {
      const user = await tenant.createUser();
      const { passkey } = await addPasskey(tenant, user.token);
      const { identifier } = user;
      const started = await startPasskeyFlow(tenant, { identifier });
      const credential = passkey.get(await requestOptions(tenant, started));
      last = { flow_token: started.flow_token, credential };
      return started.flow.id;
    },
    lastPasskey: () => last,
    newPasskey: async () => {
      const { access_token: token } = await tenant.login(admin.identifier, admin.password);
      return new TestPasskey().create(await creationOptions(tenant, token));
    },
  };
}

/** Flows of new users that sent a message. */
export function furnishMailboxes(
  { database }: Keywright,
  secretsOf: SecretsOf,
  tenant: TestTenant,
): Pick<LoginFurniture, 'startMessage' | 'startRecovery' | 'lastMessage'> {
  let last = { flow_token: 'lft_none', code: '00000000', link_token: 'none' };
  return {
    startMessage: () => startFlow({}),
    startRecovery: async () => {
      const id = await startFlow({ purpose: 'recovery' });
      const { flow_token, code } = last;
      const options = { body: { flow_token, code } };
      expectStatus(200, await tenant.request('POST', `/auth/flows/${id}/code`, options));
      return id;
    },
    lastMessage: () => last,
  };

  async function startFlow(extra: object): Promise<string> {
    const { identifier } = await tenant.createUser();
    const body = { identifier, ...extra };
    const { flow, flow_token } = expectStatus(
      201,
      await tenant.request<StartedFlow>('POST', '/auth/flows', { body }),
    );
    // All messages are requested from one address.
    await database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [tenant.id]);
    const options = { body: { flow_token } };
    expectStatus(200, await tenant.request('POST', `/auth/flows/${flow.id}/message`, options));
    const { code, linkToken } = await secretsOf(tenant.id, flow.id);
    last = { flow_token, code, link_token: linkToken };
    return flow.id;
  }
}

/** Functions that add addresses to the admin. */
export function furnishIdentifiers(
  { database }: Keywright,
  secrets: { readonly secretsOf: SecretsOf } & Pick<SecretsWatch, 'tokenOf'>,
  tenant: TestTenant,
  admin: TestUser,
): Pick<
  LoginFurniture,
  | 'requestIdentifierCode'
  | 'changeIdentifiers'
  | 'changeWithPasskey'
  | 'giveIdentifier'
  | 'invite'
  | 'tokenOf'
  | 'reachable'
> {
  const { secretsOf, tokenOf } = secrets;
  const of = [tenant.id, admin.user.id];
  return {
    async requestIdentifierCode() {
      const identifier = newIdentifier();
      // All are requested from one address, and only the last one is used.
      for (const table of ['login_attempts', 'challenges']) {
        await database.query(`DELETE FROM ${table} WHERE tenant_id = $1`, [tenant.id]);
      }
      const { access_token: token } = await tenant.login(admin.identifier, admin.password);
      const options = { token, body: { identifier } };
      expectStatus(200, await tenant.request('POST', '/me/identifiers', options));
      const [row] = await database.query<{ flow_id: string }>(
        `SELECT flow_id FROM challenges WHERE tenant_id = $1 AND user_id = $2 AND kind = 'verification'`,
        of,
      );
      const { code } = await secretsOf(tenant.id, row?.flow_id ?? '');
      return { identifier, code };
    },
    tokenOf: (id) => tokenOf(tenant.id, id),
    changeIdentifiers: async () => change(await tenant.createUser()),
    async changeWithPasskey() {
      const user = await tenant.createUser();
      const { factor } = await addPasskey(tenant, user.token);
      return change(user, [factor.id]);
    },
    async reachable() {
      const token = await tenant.adminToken();
      const { user, identifier } = await tenant.createUser();
      const body = { identifiers: [{ type: 'email', identifier, verified: true }] };
      expectStatus(200, await tenant.request('PATCH', `/users/${user.id}`, { token, body }));
      const config = { magic_link_url: 'https://app.example.com/login' };
      const path = `/tenants/${tenant.id}`;
      expectStatus(200, await tenant.request('PATCH', path, { token, body: { config } }));
      await database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [tenant.id]);
      return user.id;
    },
    async invite(identifier = newIdentifier()) {
      const id = newInvitationId(new Date());
      await database.query(
        `INSERT INTO invitations (tenant_id, id, identifier, roles, workspaces, invited_by, inviter_kind, created_at,
                                  sent_at, expires_at)
         VALUES ($1, $2, $3, '{}', '{}', $4, 'user', now(), now(), now() + interval '7 days')`,
        [tenant.id, id, identifier, admin.user.id],
      );
      return id;
    },
    async giveIdentifier(isVerified = false) {
      const identifier = newIdentifier();
      await database.query(
        `INSERT INTO user_identifiers (tenant_id, user_id, type, identifier, verified, position)
         SELECT $1, $2, 'email', $3, $4, 1 + max(position) FROM user_identifiers WHERE tenant_id = $1 AND user_id = $2`,
        [...of, identifier, isVerified],
      );
      return identifier;
    },
  };

  async function change(
    { user, identifier }: TestUser,
    factors: readonly string[] = [],
  ): Promise<string> {
    const id = newUndoId();
    const before = JSON.stringify([{ type: 'email', identifier, verified: true }]);
    await database.query(
      `INSERT INTO identifier_undos
              (tenant_id, id, user_id, auth_version, destination, identifiers, expires_at, factors)
       VALUES ($1, $2, $3, 0, $4, $5, now() + interval '7 days', $6)`,
      [tenant.id, id, user.id, identifier, before, factors],
    );
    return tokenOf(tenant.id, id);
  }
}

/** Removes the confirmed factors of all users, so that the admin can log in with a password alone. */
export async function removeFactors(
  { database }: Keywright,
  { tenant }: { readonly tenant: TestTenant },
): Promise<void> {
  const of = [tenant.id];
  await database.query(
    'DELETE FROM user_factors WHERE tenant_id = $1 AND confirmed_at IS NOT NULL',
    of,
  );
  await database.query(
    'UPDATE users SET has_second_factor = false WHERE tenant_id = $1 AND has_second_factor',
    of,
  );
}
