import type { AuditAction } from '@keywright/contract/audit';
import type { AgentId, SessionId, UserId } from '@keywright/contract/ids';
import { missingScopes } from '@keywright/contract/scopes';
import type { TenantTx } from '../../../tenancy/gate.ts';
import { findHistory, type HistoryEntry, type Target } from '../../events/journal/index.ts';

const OF_USERS: readonly AuditAction[] = ['user.created', 'user.updated', 'user.disabled'];
const OF_AGENTS: readonly AuditAction[] = ['agent.created', 'agent.updated'];
const OF_ROLES: readonly AuditAction[] = ['role.updated'];
const REVOCATIONS: readonly AuditAction[] = [
  'apikey.revoked',
  'apikey.rotated',
  'apikey.reported',
  'delegation.revoked',
];
const SESSION_ENDS: readonly AuditAction[] = ['session.revoked', 'auth.logout'];

export function changesOfUser(tx: TenantTx, id: UserId): Promise<HistoryEntry[]> {
  return findHistory(tx, [{ kind: 'user', id }], OF_USERS);
}

/** Returns the changes of an agent, including the disabling of its owner, which also disables the agent. */
export async function changesOfAgent(
  tx: TenantTx,
  id: AgentId,
  ownerId: string | null,
): Promise<HistoryEntry[]> {
  const targets: Target[] = [{ kind: 'agent', id }];
  if (ownerId !== null) targets.push({ kind: 'user', id: ownerId });
  return findHistory(tx, targets, [...OF_AGENTS, 'user.disabled']);
}

/** More roles than any user has. Only the latest former roles are considered. */
const MOST_ROLES = 128;

/** Finds the changes that removed the missing scopes. */
export async function lossesOf(
  tx: TenantTx,
  lacking: readonly string[],
  history: readonly HistoryEntry[],
  roles: readonly string[],
): Promise<Loss[]> {
  if (lacking.length === 0) return [];
  const names = rolesIn(history, roles).slice(0, MOST_ROLES);
  const targets = names.map((id): Target => ({ kind: 'role', id }));
  const ofRoles = await findHistory(tx, targets, OF_ROLES);
  return findLosses(lacking, [...history, ...ofRoles].toSorted(newestFirst), roles);
}

/** IDs sort by time. */
function newestFirst(entry: HistoryEntry, other: HistoryEntry): number {
  return entry.id < other.id ? 1 : -1;
}

/** The last change that made this user or agent inactive. */
export function findDeactivation(
  history: readonly HistoryEntry[],
  id: string,
): HistoryEntry | undefined {
  return history.find(({ action, target_id: target, details }) =>
    action === 'user.disabled'
      ? target === id || namesIn(details['agents']).includes(id)
      : target === id && details['is_active'] === false,
  );
}

/** Finds the change that revoked a key or a delegation: alone, or with all dependents of one of these users. */
export async function findRevocation(
  tx: TenantTx,
  target: Target,
  users: readonly (string | undefined)[],
): Promise<HistoryEntry | undefined> {
  const owners = users.flatMap((id): Target[] => (id === undefined ? [] : [{ kind: 'user', id }]));
  const history = await findHistory(tx, [target, ...owners], [...REVOCATIONS, 'user.disabled']);
  return history.find(
    ({ target_id: id, details }) =>
      id === target.id ||
      namesIn(details['api_keys']).includes(target.id) ||
      namesIn(details['delegations']).includes(target.id),
  );
}

interface EndedSession {
  readonly user_id: string;
  readonly created_at: Date;
  readonly end_reason: string | null;
}

/** Finds the change that ended a session: alone, or the first after its login that ended all sessions of the user. */
export async function findSessionEnd(
  tx: TenantTx,
  id: SessionId,
  { user_id: userId, created_at: start, end_reason: reason }: EndedSession,
): Promise<HistoryEntry | undefined> {
  const targets: Target[] = [
    { kind: 'session', id },
    { kind: 'user', id: userId },
  ];
  const history = await findHistory(tx, targets, [...SESSION_ENDS, ...OF_USERS]);
  const alone = history.find((entry) => entry.target_id === id);
  return alone ?? history.findLast((entry) => entry.created_at >= start && ends(entry, reason));
}

function ends({ action, details }: HistoryEntry, reason: string | null): boolean {
  if (reason === 'deactivated') {
    return action === 'user.disabled' || details['is_active'] === false;
  }
  if (reason === 'password_changed') {
    return action === 'user.updated' && (details.fields ?? []).includes('password');
  }
  return action === 'session.revoked' && details.reason === reason;
}

function namesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A missing scope, and the last change that removed it. */
export interface Loss {
  readonly scope: string;
  readonly change: HistoryEntry;
}

/**
 * Finds the last change that removed each scope. Walks the history backwards, so that a role is ignored if it lost a
 * scope while this user did not have the role.
 * @param history of the user and of roles, the newest first
 * @param roles the current roles of the user
 */
export function findLosses(
  lacking: readonly string[],
  history: readonly HistoryEntry[],
  roles: readonly string[],
): Loss[] {
  const rolesThen = new Set(roles);
  const losses = new Map<string, Loss>();
  for (const change of history) {
    const { target_kind: kind, target_id: id, details } = change;
    if (kind !== 'role' || rolesThen.has(id ?? '')) {
      for (const scope of takenBy(change, lacking)) {
        if (!losses.has(scope)) losses.set(scope, { scope, change });
      }
    }
    if (kind === 'role') continue;
    for (const role of details.roles_added ?? []) rolesThen.delete(role);
    for (const role of details.roles_removed ?? []) rolesThen.add(role);
  }
  return lacking.flatMap((scope) => losses.get(scope) ?? []);
}

function takenBy({ details }: HistoryEntry, scopes: readonly string[]): string[] {
  const lost = details.scopes_removed ?? [];
  return scopes.filter((scope) => missingScopes(lost, [scope]).length === 0);
}

/** The current roles, and every role in the history. */
export function rolesIn(history: readonly HistoryEntry[], roles: readonly string[]): string[] {
  const named = history.flatMap(({ details }) => [
    ...(details.roles_added ?? []),
    ...(details.roles_removed ?? []),
  ]);
  return [...new Set([...roles, ...named])];
}
