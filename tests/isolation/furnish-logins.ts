// What the world of the matrix has for logins in steps.

import type { BegunFlow } from '@keywright/contract/records/login-flow';
import { expectStatus } from '../harness/http.ts';
import { beginSecondStep } from '../harness/second-step.ts';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { addTotp, enrolTotp, totpOf } from '../harness/totp.ts';

export interface LoginFurniture {
  /** Authenticators that are not confirmed. */
  readonly factorIds: { readonly ofAdmin: string; readonly ofMember: string };
  /** The code of the authenticator that was added last. */
  readonly lastTotpCode: () => string;
  /** A flow of the member that nobody continues. */
  readonly flowId: string;
  /** The secret of the flow that was begun last. */
  readonly lastFlowToken: () => string;
  /** Begins a login whose password is proven, and which needs a second factor. */
  readonly beginSecondStep: () => Promise<string>;
  /** The body that completes the one that was begun last. */
  readonly lastSecondStep: (step: 'totp' | 'recovery_code') => {
    readonly flow_token: string;
    readonly code: string;
  };
  /** The admin gets an authenticator, which the next login of theirs loses. */
  enrolTotp(): Promise<unknown>;
  /** Each returns the id of the created record. */
  addTotp(user: TestUser): Promise<string>;
  /** Of the member. */
  beginFlow(): Promise<string>;
}

/** A flow of the member, and more on demand. */
export async function furnishFlows(
  tenant: TestTenant,
  { identifier }: TestUser,
): Promise<Pick<LoginFurniture, 'flowId' | 'beginFlow' | 'lastFlowToken'>> {
  let last = '';
  const beginFlow = async () => {
    const body = { identifier };
    const { flow, flow_token } = expectStatus(
      201,
      await tenant.request<BegunFlow>('POST', '/auth/flows', { body }),
    );
    last = flow_token;
    return flow.id;
  };
  return { flowId: await beginFlow(), beginFlow, lastFlowToken: () => last };
}

const PERIOD_MS = 30_000;

/** Flows of new users, in which the second factor comes next. */
export function furnishSecondSteps(
  { clock }: Keywright,
  tenant: TestTenant,
): Pick<LoginFurniture, 'beginSecondStep' | 'lastSecondStep'> {
  let last = { token: '', totp: '000000', recoveryCode: '0'.repeat(24) };
  return {
    beginSecondStep: async () => {
      const user = await tenant.createUser();
      const { secret, codes } = await enrolTotp(tenant, user.token, clock);
      const { id, flow_token: token = '' } = await beginSecondStep(tenant, user);
      // That of this time step was used.
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
): Promise<Pick<LoginFurniture, 'factorIds' | 'addTotp' | 'enrolTotp' | 'lastTotpCode'>> {
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
    enrolTotp: async () => {
      const { access_token: token } = await tenant.login(admin.identifier, admin.password);
      await enrolTotp(tenant, token, clock);
      // Sessions that began with a password alone remain good for what follows.
      await database.query('UPDATE users SET has_second_factor = false WHERE id = $1', [
        admin.user.id,
      ]);
    },
  };
}
