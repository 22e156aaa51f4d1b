import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { LoginFlowId, UserId } from '@keywright/contract/ids';
import { DeviceTokens } from '@keywright/server/modules/authentication/flows/known-devices';
import { newFactorId } from '@keywright/server/platform/crypto/ids';
import type { SigningPasskey } from '../measure/traffic.ts';
import {
  type Database,
  findAuthenticated,
  insertFlows,
  masterKeysOf,
  type Owner,
  ownersFor,
} from './flows.ts';

interface PasskeyFlow {
  readonly id: LoginFlowId;
  readonly token: string;
  /** Of an earlier login. */
  readonly deviceToken: string;
  readonly passkey: SigningPasskey;
}

/** Flows without an identifier, for this many logins of users with a passkey, round-robin. */
export async function insertPasskeyFlows(
  database: Database,
  count: number,
  rpId: string,
): Promise<PasskeyFlow[]> {
  const { query, seed } = database;
  const owners = await findAuthenticated(database);
  const passkeys = await insertPasskeys(database, owners, rpId);
  const chosen = ownersFor(owners, count).map(({ user_id }) => ({ user_id, identifier: '' }));
  const flows = await insertFlows(database, chosen, []);
  await query('VACUUM ANALYZE login_flows, user_factors, login_attempts');
  const devices = new DeviceTokens(masterKeysOf(database));
  const now = new Date();
  return flows.flatMap(({ id, token, owner: { user_id: userId } }) => {
    const passkey = passkeys.get(userId);
    if (!passkey) return [];
    const user = { userId, authVersion: 0 };
    const deviceToken = devices.issue(seed.tenantId, user, undefined, now);
    return [{ id, token, deviceToken, passkey }];
  });
}

/** Replaces the passkeys of earlier rounds. All share one key, since the lookup does not use it. */
async function insertPasskeys(
  { query, seed: { tenantId } }: Database,
  owners: readonly Owner[],
  rpId: string,
): Promise<ReadonlyMap<UserId, SigningPasskey>> {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'der' });
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const now = new Date();
  const made = owners.map(({ user_id: userId }) => ({
    userId,
    factorId: newFactorId(now),
    id: randomBytes(16),
    userHandle: randomBytes(32),
  }));
  await query(`DELETE FROM user_factors WHERE tenant_id = $1 AND type = 'passkey'`, [tenantId]);
  await query(
    `INSERT INTO user_factors (
       tenant_id, id, user_id, type, name, created_at, confirmed_at, credential_id, public_key, algorithm, cose_key,
       rp_id, counter, backup_eligible, backed_up, transports, aaguid, user_handle)
     SELECT $1, p.factor, p.owner, 'passkey', 'Passkey', $2, $2, p.credential, $3, -7, '',
            $4, 0, false, false, '{}', '00000000-0000-0000-0000-000000000000', p.handle
       FROM unnest($5::text[], $6::text[], $7::bytea[], $8::bytea[]) AS p (factor, owner, credential, handle)`,
    [
      tenantId,
      now,
      publicKey,
      rpId,
      made.map(({ factorId }) => factorId),
      made.map(({ userId }) => userId),
      made.map(({ id }) => id),
      made.map(({ userHandle }) => userHandle),
    ],
  );
  return new Map(
    made.map(({ userId, id, userHandle }) => [
      userId,
      {
        id: id.toString('base64url'),
        userHandle: userHandle.toString('base64url'),
        rpId,
        privateKey,
      },
    ]),
  );
}
