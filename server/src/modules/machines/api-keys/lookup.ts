import type { AgentId, ApiKeyId, TenantId } from '@keywright/contract/ids';
import type { AgentRecord } from '@keywright/contract/records/agent';
import { intersectScopes } from '@keywright/contract/scopes';
import { createCache } from '../../../platform/cache/cache.ts';
import type { Clock } from '../../../platform/clock.ts';
import { batched } from '../../../platform/db/batch.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { presentAgent } from '../agents/index.ts';
import { type IsAllowed, networksMatcher } from './allowed-ips.ts';
import {
  findKeyAndAgent,
  findVersions,
  type KeyAndAgentRow,
  type Presented,
} from './lookup-store.ts';

/** The current permissions of a valid key. */
export interface KeyProfile {
  readonly keyId: ApiKeyId;
  readonly agentId: AgentId;
  /** Those of the agent, as far as the key has them. */
  readonly scopes: readonly string[];
  readonly accessVersion: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isAllowedFrom: IsAllowed;
  readonly agent: AgentRecord;
}

/** Finds a key that is valid now. */
export type FindKey = (tenantId: TenantId, hash: Buffer) => Promise<KeyProfile | undefined>;

const MAX_PROFILES = 10_000;
const ANYWHERE: IsAllowed = () => true;

/**
 * Whether a key is valid, and at which version it and its agent are, is read from the database on each use; concurrent
 * requests share a statement. Only the contents of that version are cached.
 */
export function createFindKey(gate: Gate, clock: Clock): FindKey {
  const profiles = createCache<string, { readonly version: string; readonly profile: KeyProfile }>(
    MAX_PROFILES,
  );
  const findVersion = batched(
    (keys: readonly Presented[]) => findVersions(gate, keys, clock.now()),
    { size: 256, flights: 1 },
  );

  async function read(tenantId: TenantId, hash: Buffer, place: string) {
    const row = await findKeyAndAgent(gate.into(tenantId), hash);
    if (!row) return undefined;
    const profile = profileOf(row);
    profiles.set(place, { version: row.version, profile });
    return profile;
  }

  return async (tenantId, hash) => {
    const place = `${tenantId} ${hash.toString('latin1')}`;
    const version = await findVersion({ tenantId, hash, place });
    if (version === undefined) return undefined;
    const known = profiles.get(place);
    return known?.version === version ? known.profile : read(tenantId, hash, place);
  };
}

function profileOf(row: KeyAndAgentRow): KeyProfile {
  return {
    keyId: row.key_id,
    agentId: row.id,
    scopes: row.key_scopes === null ? row.scopes : intersectScopes(row.key_scopes, row.scopes),
    accessVersion: row.access_version,
    createdAt: row.key_created_at,
    expiresAt: row.expires_at,
    isAllowedFrom: row.allowed_ips === null ? ANYWHERE : networksMatcher(row.allowed_ips),
    agent: presentAgent(row),
  };
}
