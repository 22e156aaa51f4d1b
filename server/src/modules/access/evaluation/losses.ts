import { missingScopes } from '@keywright/contract/scopes';
import type { HistoryEntry } from '../../events/journal/index.ts';

/** A missing scope, and the last change that removed it. */
export interface Loss {
  readonly scope: string;
  readonly change: HistoryEntry;
}

/**
 * For each scope the last change that removed it. The history is walked backwards, so that a role that lost a scope
 * while this user did not have it is ignored.
 * @param history of the user and of roles, the newest first
 * @param roles the current roles of the user
 */
export function findLosses(
  lacking: readonly string[],
  history: readonly HistoryEntry[],
  roles: readonly string[],
): Loss[] {
  const held = new Set(roles);
  const losses = new Map<string, Loss>();
  for (const change of history) {
    const { target_kind: kind, target_id: id, details } = change;
    if (kind !== 'role' || held.has(id ?? '')) {
      for (const scope of takenBy(change, lacking)) {
        if (!losses.has(scope)) losses.set(scope, { scope, change });
      }
    }
    if (kind === 'role') continue;
    for (const role of details.roles_added ?? []) held.delete(role);
    for (const role of details.roles_removed ?? []) held.add(role);
  }
  return lacking.flatMap((scope) => losses.get(scope) ?? []);
}

function takenBy({ details }: HistoryEntry, scopes: readonly string[]): string[] {
  const lost = details.scopes_removed ?? [];
  return scopes.filter((scope) => missingScopes(lost, [scope]).length === 0);
}

/** Every role in the history, beside those held now. */
export function rolesIn(history: readonly HistoryEntry[], roles: readonly string[]): string[] {
  const named = history.flatMap(({ details }) => [
    ...(details.roles_added ?? []),
    ...(details.roles_removed ?? []),
  ]);
  return [...new Set([...roles, ...named])];
}
