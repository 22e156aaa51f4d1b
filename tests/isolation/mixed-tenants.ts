import {
  BROWSER,
  type Changes,
  CLIENTS,
  INACTIVE,
  NOW,
  PARENTS,
  parentId,
  REFRESHED,
} from './refreshed-sessions.ts';
import { type Seeded, seedTenant } from './seed.ts';
import type { Session } from './session.ts';

const BEFORE = '2026-01-14T00:00:00Z';

const OUTDATED = { access_version: 1 };
const ENDED = {
  living: {},
  revoked: { revoked_at: BEFORE },
  expired: { expires_at: NOW },
  'of an inactive agent': { agent_id: 'service:inactive' },
} as const;

/** The states of each kind of row: how they differ from the seeded one. */
const STATES = {
  users: { living: {}, inactive: INACTIVE },
  agents: { living: {}, inactive: INACTIVE, outdated: OUTDATED },
  sessions: { living: {}, ended: INACTIVE, outdated: OUTDATED },
  api_keys: {
    ...ENDED,
    rotated: { successor_id: 'key_next' },
    'of an outdated agent': { agent_id: 'service:outdated' },
  },
  delegations: {
    ...ENDED,
    outdated: OUTDATED,
    'of an inactive user': { user_id: 'user:inactive' },
  },
  refreshed: REFRESHED,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Changes>>>>;

export type Kind = keyof typeof STATES;

/** A row of a tenant, and its state. Rows with its id in other tenants have other states. */
export interface MixedRow {
  readonly tenant: MixedTenant;
  readonly id: string;
  readonly state: string;
  /** Unique to the row and its tenant. */
  readonly version: number;
}

export interface MixedTenant extends Seeded {
  readonly isActive: boolean;
  readonly rows: Readonly<Record<Kind, readonly MixedRow[]>>;
}

/** The prefix of the ids of each kind. */
const PREFIXES: Readonly<Record<Kind, string>> = {
  users: 'user:',
  agents: 'service:',
  sessions: 'session:',
  refreshed: 'session:refreshed-',
  api_keys: 'key_',
  delegations: 'dlg_',
};

/** Serializes changes, with bytes in the form that PostgreSQL reads from JSON. */
function jsonOf(changes: Changes): string {
  return JSON.stringify(changes, function (this: Changes, key, value: unknown) {
    const raw = this[key];
    return Buffer.isBuffer(raw) ? `\\x${raw.toString('hex')}` : value;
  });
}

/** A row that differs from another one of its tenant. */
async function copyRow(
  session: Session,
  table: string,
  [tenantId, id]: readonly [string, string],
  changes: Changes,
): Promise<void> {
  await session.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(one, $3)).*
       FROM ${table} AS one WHERE tenant_id = $1 AND id = $2`,
    [tenantId, id, jsonOf(changes)],
  );
}

/** Fills a tenant with rows in each state. @param turn how many places its states are rotated by */
export async function mixTenant(
  session: Session,
  slug: string,
  turn: number,
  isActive = true,
): Promise<MixedTenant> {
  const seeded = await seedTenant(session, slug);
  const { tenantId } = seeded;
  const copy = (table: string, id: string, changes: Changes) =>
    copyRow(session, table, [tenantId, id], changes);
  // The ids of rows that others depend on name their state.
  await copy('users', seeded.userId, { id: 'user:inactive', ...INACTIVE });
  await copy('agents', seeded.agentId, { id: 'service:inactive', ...INACTIVE });
  await copy('agents', seeded.agentId, { id: 'service:outdated', ...OUTDATED });
  for (const [id, changes] of Object.entries(CLIENTS)) {
    await copy('oauth_clients', `client_${tenantId}`, { id, ...changes });
  }
  for (const [state, changes] of Object.entries(PARENTS)) {
    const id = parentId(state, turn);
    if (changes) await copy('sessions', seeded.sessionId, { id, ...BROWSER, ...changes });
  }
  const rows: Record<Kind, MixedRow[]> = {
    users: [],
    agents: [],
    sessions: [],
    refreshed: [],
    api_keys: [],
    delegations: [],
  };
  const tenant: MixedTenant = { ...seeded, isActive, rows };
  const fill = async (kind: Kind, from: string) => {
    const states: [string, Changes][] = Object.entries(STATES[kind]);
    for (const [index, [state, changes]] of states.entries()) {
      const id = `${PREFIXES[kind]}${(index + turn) % states.length}`;
      const version = 10 * turn + index;
      if (kind === 'delegations') await copy('agents', seeded.agentId, { id: `service:of-${id}` });
      const kindColumns =
        kind === 'api_keys'
          ? { secret_hash: Buffer.from(id), agent_version: version }
          : kind === 'delegations'
            ? { agent_id: `service:of-${id}` }
            : 'parent' in changes
              ? { parent_id: parentId(String(changes['parent']), turn) }
              : {};
      await copy(kind === 'refreshed' ? 'sessions' : kind, from, {
        id,
        ...kindColumns,
        ...changes,
      });
      rows[kind].push({ tenant, id, state, version });
    }
  };
  await fill('users', seeded.userId);
  for (const { id } of rows.users) await equipUser(session, tenant, id);
  await fill('agents', seeded.agentId);
  await fill('sessions', seeded.sessionId);
  await fill('refreshed', seeded.sessionId);
  await fill('api_keys', seeded.apiKeyId);
  await fill('delegations', seeded.delegationId);
  return tenant;
}

/** What a user logs in with, and what the service reports about them. The same in every tenant, except the role. */
async function equipUser(session: Session, tenant: MixedTenant, id: string): Promise<void> {
  const { tenantId, role, workspaceId } = tenant;
  const equipment: readonly (readonly [sql: string, values: readonly unknown[]])[] = [
    [
      `user_identifiers (tenant_id, user_id, identifier, type, position) VALUES ($1, $2, $3, 'email', 0)`,
      [`${id}@example.com`],
    ],
    [
      `user_credentials (tenant_id, user_id, type, provider, secret_hash)
       VALUES ($1, $2, 'password', 'local', $3)`,
      [`hash of ${id}`],
    ],
    ['user_roles (tenant_id, user_id, role) VALUES ($1, $2, $3)', [role]],
    [
      'workspace_members (tenant_id, user_id, workspace_id, position) VALUES ($1, $2, $3, 0)',
      [workspaceId],
    ],
  ];
  for (const [sql, values] of equipment) {
    await session.query(`INSERT INTO ${sql}`, [tenantId, id, ...values]);
  }
}

export interface PermissionQuery extends MixedRow {
  /** Whether the query includes the permissions that they hold. */
  readonly isHolding: boolean;
  readonly workspaceId: string | null;
}

/** Returns three queries: with all parts, with the fewest, and with all parts for a user without a workspace. */
export function permissionQueriesOf(entry: MixedRow): PermissionQuery[] {
  const { workspaceId } = entry.tenant;
  return [
    { ...entry, isHolding: true, workspaceId },
    { ...entry, isHolding: false, workspaceId: null },
    { ...entry, id: 'user:inactive', state: 'bare', isHolding: true, workspaceId },
  ];
}

/** The result of kw_effective_permissions. */
export function effectivePermissionsOf({
  tenant,
  id,
  state,
  isHolding,
  workspaceId,
}: PermissionQuery): unknown[] {
  if (state === 'bare') return [false, [], 'outside'];
  const place = workspaceId === null ? null : 'inside';
  // An agent is always looked up, because the result includes its workspace.
  if (!isHolding && id.startsWith('user:')) return [false, [], place];
  return [state !== 'inactive', [`read:${tenant.role}`], place];
}
