import { missingScopes } from '@keywright/contract/scopes';
import type { EffectivePermissions } from './store.ts';

/** Everything within the tenant, including its workspaces. */
const EVERYTHING = '*:*';

/** The subject, as far as it matters for the decision. */
export interface Holder {
  readonly scopes: readonly string[];
  /** The user, the agent, or the user and each agent that acts for them. */
  readonly subjects: readonly string[];
}

/** The scopes that a subject may use now. */
export function usableScopes({
  is_active,
  scopes,
}: Pick<EffectivePermissions, 'is_active' | 'scopes'>): readonly string[] {
  return is_active ? scopes : [];
}

/** Whether the holder of these scopes belongs to the workspace in question. */
export function isInPlace(
  subject: string,
  place: EffectivePermissions['place'],
  scopes: readonly string[],
): boolean {
  if (place === null || place === 'inside') return true;
  // Users hold their roles in every workspace; an agent belongs to one.
  const isAdministrator =
    subject.startsWith('user:') && missingScopes(scopes, [EVERYTHING]).length === 0;
  return place === 'outside' && isAdministrator;
}

/** The missing scopes: all of them for a subject outside the workspace. */
export function missingIn(
  { scopes, subjects }: Holder,
  places: readonly EffectivePermissions['place'][],
  needed: readonly string[],
): string[] {
  const isThere = subjects.every((one, index) => isInPlace(one, places[index] ?? null, scopes));
  return isThere ? missingScopes(scopes, needed) : [...needed];
}
