import type { IdentityProviderId, LoginFlowId, UserId } from '@keywright/contract/ids';
import { sql } from 'kysely';
import { type Caller, nameOf } from '../../../tenancy/caller.ts';
import { type TenantTx, deleteFrom, from, update } from '../../../tenancy/gate.ts';

/** The identity of a user at a provider. */
export interface UpstreamIdentity {
  readonly subject: string;
  /** The settings of the provider that decide whom the subject identifies (`sourceOf`). */
  readonly source: string;
  readonly name: string | null;
  /** An https URL. */
  readonly picture: string | null;
  /** Normalized. */
  readonly email: string | null;
  /** Whether the provider reports that the address was verified. */
  readonly is_verified: boolean;
  /** Whether the address is verified, and the provider decides who has an address in its domain. */
  readonly is_authoritative: boolean;
  /** Whether the address is verified, and the provider is known to verify addresses by sending messages. */
  readonly is_proven: boolean;
  /** Whether the provider reports that it verified two factors. */
  readonly has_mfa: boolean;
}

/** The owner of a login finishes it: a flow, a user who links an identity, or the tester of a provider. */
export type LoginOwner = LoginFlowId | UserId | TestOwner;

const TEST = 'test ';

/** Separate from the other owners: a test links and proves nothing. */
type TestOwner = `test ${string}`;

export function testOwner(caller: Caller): TestOwner {
  return `${TEST}${nameOf(caller)}`;
}

export function isTest(owner: string): boolean {
  return owner.startsWith(TEST);
}

/** The provider's response in a test, or why it was not accepted. */
export interface TestResult {
  readonly reason: string | null;
  readonly identity: UpstreamIdentity | null;
  readonly claims: Readonly<Record<string, unknown>> | null;
}

interface NewLogin {
  readonly owner: LoginOwner;
  readonly providerId: IdentityProviderId;
  readonly providerVersion: number;
  readonly stateHash: Buffer;
  readonly returnUrl: string;
  readonly needsLogin: boolean;
  readonly expiresAt: Date;
}

/** Starts a login at a provider, which replaces an earlier login of its owner. @returns false after too many logins */
export async function insertLogin(tx: TenantTx, login: NewLogin, limit: number): Promise<boolean> {
  const columns = {
    provider_id: login.providerId,
    provider_version: login.providerVersion,
    state_hash: login.stateHash,
    return_url: login.returnUrl,
    asks_login: login.needsLogin,
    expires_at: login.expiresAt,
  };
  const empty = { used_at: null, handoff_hash: null, identity: null, links_to: null };
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('upstream_logins')
    .values({ tenant_id: tx.tenantId, flow_id: login.owner, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'flow_id'])
        .doUpdateSet((eb) => ({
          ...columns,
          ...empty,
          begun: eb('upstream_logins.begun', '+', 1),
        }))
        .where('upstream_logins.begun', '<', limit),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Consumes the state of a login: only one of several concurrent callbacks gets it. */
export function takeState(tx: TenantTx, provider: IdentityProviderId, stateHash: Buffer) {
  return update(tx, 'upstream_logins')
    .set({ used_at: tx.now })
    .where('provider_id', '=', provider)
    .where('state_hash', '=', stateHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', tx.now)
    .returning(['return_url', 'asks_login', 'flow_id'])
    .executeTakeFirst();
}

/** Stores the provider's response under the handoff. @returns false if the owner has started another login */
export async function storeResponse(
  tx: TenantTx,
  stateHash: Buffer,
  handoff: { readonly hash: Buffer; readonly expiresAt: Date },
  identity: UpstreamIdentity | TestResult,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'upstream_logins')
    .set({
      handoff_hash: handoff.hash,
      expires_at: handoff.expiresAt,
      identity: JSON.stringify(identity),
    })
    .where('state_hash', '=', stateHash)
    .where('used_at', 'is not', null)
    .where('handoff_hash', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns the provider's response for a handoff, without consuming the handoff. */
export async function findIdentity(tx: TenantTx, owner: LoginFlowId | UserId, handoffHash: Buffer) {
  const row = await from(tx, 'upstream_logins')
    .select(['provider_id', sql<UpstreamIdentity>`identity`.as('identity')])
    .where('flow_id', '=', owner)
    .where('handoff_hash', '=', handoffHash)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return row && { providerId: row.provider_id, identity: row.identity };
}

/**
 * Consumes the result of a test, which any caller may have started: only one of several concurrent calls gets it.
 * @returns the result, and the version of the provider when the test started
 */
export async function takeTestResult(
  tx: TenantTx,
  provider: IdentityProviderId,
  handoffHash: Buffer,
): Promise<{ readonly result: TestResult; readonly version: number } | undefined> {
  const row = await deleteFrom(tx, 'upstream_logins')
    .where('flow_id', 'like', `${TEST}%`)
    .where('provider_id', '=', provider)
    .where('handoff_hash', '=', handoffHash)
    .where('expires_at', '>', tx.now)
    .returning(['provider_version', sql<TestResult>`identity`.as('result')])
    .executeTakeFirst();
  return row && { result: row.result, version: row.provider_version };
}

/** Consumes a handoff: only one of several concurrent calls is accepted. */
export async function takeHandoff(
  tx: TenantTx,
  owner: LoginFlowId | UserId,
  handoffHash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await update(tx, 'upstream_logins')
    .set({ handoff_hash: null })
    .where('flow_id', '=', owner)
    .where('handoff_hash', '=', handoffHash)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the identity until the flow has proven this user. */
export async function keepUntilProven(
  tx: TenantTx,
  flow: { readonly id: LoginFlowId; readonly expiresAt: Date },
  user: UserId,
): Promise<void> {
  await update(tx, 'upstream_logins')
    .set({ links_to: user, expires_at: flow.expiresAt })
    .where('flow_id', '=', flow.id)
    .execute();
}

interface WaitingIdentity extends Pick<
  UpstreamIdentity,
  'subject' | 'source' | 'name' | 'picture'
> {
  readonly providerId: IdentityProviderId;
}

/** Takes the identity that waits for the proof of an account, which uses it up. */
export async function takeWaitingIdentity(
  tx: TenantTx,
  flow: LoginFlowId,
  userId: UserId,
): Promise<WaitingIdentity | undefined> {
  const row = await deleteFrom(tx, 'upstream_logins')
    .where('flow_id', '=', flow)
    .where('links_to', '=', userId)
    .returning(['provider_id', sql<UpstreamIdentity | null>`identity`.as('identity')])
    .executeTakeFirst();
  if (!row?.identity) return undefined;
  const { subject, source, name, picture } = row.identity;
  return { providerId: row.provider_id, subject, source, name, picture };
}
