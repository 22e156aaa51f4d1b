import { missingScopes } from '@keywright/contract/scopes';
import type { EffectivePermissions } from './store.ts';

/** Everything within the tenant, its workspaces included. */
const EVERYTHING = '*:*';

/** Who is asked about, as far as it decides. */
export interface Holder {
  readonly scopes: readonly string[];
  /** The user, the agent, or the user and each agent that acts for them. */
  readonly subjects: readonly string[];
}

/** Whether somebody who holds these scopes belongs where the question is about. */
export function isInPlace(
  subject: string,
  place: EffectivePermissions['place'],
  scopes: readonly string[],
): boolean {
  if (place === null || place === 'inside') return true;
  // What a user holds by their roles is not bound to a workspace; an agent is of one.
  const isAdministrator =
    subject.startsWith('user:') && missingScopes(scopes, [EVERYTHING]).length === 0;
  return place === 'outside' && isAdministrator;
}

/** The scopes that are lacked: all of them by who isn't where the question is about. */
export function missingIn(
  { scopes, subjects }: Holder,
  places: readonly EffectivePermissions['place'][],
  needed: readonly string[],
): string[] {
  const isThere = subjects.every((one, index) => isInPlace(one, places[index] ?? null, scopes));
  return isThere ? missingScopes(scopes, needed) : [...needed];
}
