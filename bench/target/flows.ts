import { randomBytes } from 'node:crypto';
import type { LoginFlowId, TenantId, UserId } from '@keywright/contract/ids';
import {
  DeviceTokens,
  flowTokenHash,
  newFlowToken,
} from '@keywright/server/modules/authentication/flows/known-devices';
import { messageSecrets } from '@keywright/server/modules/events/messages/message-secrets';
import { totpPlace } from '@keywright/server/modules/authentication/second-factors/second-factor-store';
import { readConfig } from '@keywright/server/platform/config';
import { newFactorId, newLoginFlowId, randomId } from '@keywright/server/platform/crypto/ids';
import { seal } from '@keywright/server/platform/crypto/sealed';
import { MasterKeys } from '@keywright/server/tenancy/data-keys';
import { totpOf } from '@keywright/tests/harness/totp';
import type { Scene } from '../rows/row.ts';
import { loadUsers } from './users.ts';

const FLOW_MS = 15 * 60_000;
const CODE_MS = 10 * 60_000;
/** An app's code is accepted once, so each user logs in once per round. */
const AUTHENTICATORS = 20_000;
/** All users have the same key, encrypted separately for each row. */
const TOTP_KEY = Buffer.alloc(20);
const TOTP_KEY_AS_TEXT = 'A'.repeat(32);

export type Database = Pick<Scene, 'seed' | 'env' | 'query'>;

/** An open flow, its secret, and the code for its next step. */
export interface OpenFlow {
  readonly id: LoginFlowId;
  readonly token: string;
  readonly code: string;
  /** The token from an earlier login. Undefined if the flow already has it. */
  readonly deviceToken?: string;
}

export interface Owner {
  readonly user_id: UserId;
  readonly identifier: string;
}

/**
 * Flows whose message was sent, for this many logins of users with a verified address, round-robin. Inserted as the API
 * would have written them, because its limits allow few per hour.
 */
export async function insertMailedFlows(database: Database, count: number): Promise<OpenFlow[]> {
  const { query, seed } = database;
  // Wrong codes are counted by mailbox, and those of earlier rounds would exceed the limit.
  await query('DELETE FROM login_attempts');
  await query('UPDATE user_identifiers SET verified = true WHERE tenant_id = $1 AND NOT verified', [
    seed.tenantId,
  ]);
  const owners = seed.people.map(({ userId, identifier }) => ({ user_id: userId, identifier }));
  const flows = await insertFlows(database, ownersFor(owners, count), []);
  const challenges = flows.map(() => `chl_${randomId()}`);
  const expiresAt = new Date(Date.now() + CODE_MS);
  await query(
    `INSERT INTO challenges (tenant_id, id, flow_id, kind, user_id, auth_version, expires_at)
     SELECT $1, c.id, c.flow, 'login', c.owner, 0, $2
       FROM unnest($3::text[], $4::text[], $5::text[]) AS c (id, flow, owner)`,
    [
      seed.tenantId,
      expiresAt,
      challenges,
      flows.map(({ id }) => id),
      flows.map(({ owner }) => owner.user_id),
    ],
  );
  await query('VACUUM ANALYZE login_flows, challenges, login_attempts, user_identifiers');
  const devices = new DeviceTokens(masterKeysOf(database));
  const now = new Date();
  return withDataKey(database, (key) =>
    flows.map(({ id, token, owner: { user_id: userId } }, index) => {
      const { code } = messageSecrets(key, { id: challenges[index] ?? '', kind: 'login' });
      const user = { userId, authVersion: 0 };
      return { id, token, code, deviceToken: devices.issue(seed.tenantId, user, undefined, now) };
    }),
  );
}

/** Flows of users with an authenticator, after the password was proven on a known device, and their current codes. */
export async function insertProvenFlows(database: Database, count: number): Promise<OpenFlow[]> {
  const { query, seed } = database;
  const owners = await findAuthenticated(database);
  await query('UPDATE user_factors SET last_step = 0');
  const chosen = owners.slice(0, count);
  const flows = await insertFlows(database, chosen, ['password']);
  await query('VACUUM ANALYZE login_flows, user_factors, login_attempts');
  const code = totpOf(TOTP_KEY_AS_TEXT, new Date());
  if (flows.length === 0) throw new Error(`${seed.tenantId} has no user with an authenticator.`);
  return flows.map(({ id, token }) => ({ id, token, code }));
}

export function ownersFor(owners: readonly Owner[], count: number): Owner[] {
  return Array.from({ length: count }, (_, index) => owners[index % owners.length] as Owner);
}

export async function insertFlows(
  { query, seed }: Database,
  owners: readonly Owner[],
  proven: readonly string[],
): Promise<{ id: LoginFlowId; token: string; owner: Owner }[]> {
  const now = new Date();
  const flows = owners.map((owner) => ({
    id: newLoginFlowId(now),
    token: newFlowToken(),
    owner,
    proofs: proven.map((method) => ({
      method,
      user_id: owner.user_id,
      auth_version: 0,
      at: now.toISOString(),
      device: randomBytes(16).toString('base64url'),
    })),
  }));
  await query(
    `INSERT INTO login_flows (tenant_id, id, purpose, token_hash, identifier, proofs, created_at, expires_at)
     SELECT $1, f.id, 'login', f.token_hash, f.identifier, f.proofs::jsonb, $2, $3
       FROM unnest($4::text[], $5::bytea[], $6::text[], $7::text[]) AS f (id, token_hash, identifier, proofs)`,
    [
      seed.tenantId,
      now,
      new Date(now.getTime() + FLOW_MS),
      flows.map(({ id }) => id),
      flows.map(({ token }) => flowTokenHash(token)),
      flows.map(({ owner }) => owner.identifier),
      flows.map(({ proofs }) => JSON.stringify(proofs)),
    ],
  );
  return flows;
}

/** Finds separate users, who need a second factor. */
export async function findAuthenticated(database: Database): Promise<Owner[]> {
  const { query, seed } = database;
  const find = () =>
    query<Owner>(
      `SELECT i.user_id, i.identifier FROM user_identifiers i JOIN user_factors f USING (tenant_id, user_id)
        WHERE i.tenant_id = $1 AND f.type = 'totp' ORDER BY i.user_id`,
      [seed.tenantId],
    );
  const found = await find();
  if (found.length > 0) return found;
  await loadUsers(database, [seed.tenantId], AUTHENTICATORS);
  const seededIds = new Set<string>(seed.people.map(({ userId }) => userId));
  const users = await query<Pick<Owner, 'user_id'>>(
    'SELECT id AS user_id FROM users WHERE tenant_id = $1',
    [seed.tenantId],
  );
  await insertAuthenticators(
    database,
    users.map((user) => user.user_id).filter((id) => !seededIds.has(id)),
  );
  return find();
}

async function insertAuthenticators(database: Database, userIds: readonly UserId[]): Promise<void> {
  const { query, seed } = database;
  const { tenantId } = seed;
  const now = new Date();
  const ids = userIds.map(() => newFactorId(now));
  const sealed = await withDataKey(database, (key) =>
    ids.map((id) => seal(key, TOTP_KEY, totpPlace(tenantId, id))),
  );
  await query(
    `INSERT INTO user_factors (tenant_id, id, user_id, type, name, created_at, confirmed_at, totp_secret)
     SELECT $1, f.id, f.owner, 'totp', 'Authenticator', $2, $2, f.sealed
       FROM unnest($3::text[], $4::text[], $5::bytea[]) AS f (id, owner, sealed)`,
    [tenantId, now, ids, userIds, sealed],
  );
  await query(
    `UPDATE users SET has_second_factor = true WHERE tenant_id = $1 AND id = ANY ($2::text[])`,
    [tenantId, userIds],
  );
  await query('VACUUM ANALYZE users, user_factors');
}

async function withDataKey<Result>(
  { query, seed, env }: Database,
  work: (key: Buffer) => Result,
): Promise<Result> {
  const [row] = await query<Parameters<MasterKeys['unwrap']>[1]>(
    'SELECT wrapped_key, master_key_id FROM tenant_data_keys WHERE tenant_id = $1',
    [seed.tenantId],
  );
  if (!row) throw new Error('The tenant has no key.');
  return work(masterKeysOf({ env }).unwrap(seed.tenantId satisfies TenantId, row));
}

export function masterKeysOf({ env }: Pick<Database, 'env'>): MasterKeys {
  return new MasterKeys(readConfig({ ...env, KEYWRIGHT_PORT: '0' }).masterKeys);
}
