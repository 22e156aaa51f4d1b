// Users are shown by name, which the records of other lists do not contain.

import type { User } from '@keywright/sdk';
import { useTenant } from '../url/params.ts';
import { useCall } from './queries.ts';
import { MOST_IDS, namedIdsAmong, userIdsAmong } from './user-ids.ts';

/** Returns the name of a user, or else the first identifier. */
export function nameOfUser({ name, identifiers, id }: User): string {
  return name ?? identifiers[0]?.identifier ?? id;
}

interface Names {
  readonly names: ReadonlyMap<string, string>;
  readonly isPending: boolean;
}

/** Returns the names of users, by ID. Omits IDs of other records and of deleted users. */
function useUserNames(ids: readonly (string | null)[], mayRead: boolean): Names {
  const users = userIdsAmong(ids);
  const query = { ids: users.join(','), limit: MOST_IDS };
  const isEnabled = mayRead && users.length > 0;
  const { data, isLoading } = useCall(useTenant(), 'users.list', { query }, isEnabled);
  const items = data?.items ?? [];
  return {
    names: new Map(items.map((user) => [user.id, nameOfUser(user)])),
    isPending: isLoading,
  };
}

/**
 * Returns the names of records, by ID, as far as the caller can read them. Callers who cannot read the audit log see
 * only the names of users.
 */
export function useRecordNames(
  ids: readonly (string | null)[],
  can: (scope: string) => boolean,
): Names {
  const ofAll = can('read:audit');
  const named = namedIdsAmong(ids);
  const input = { query: { ids: named.join(',') } };
  const records = useCall(useTenant(), 'audit.get_names', input, ofAll && named.length > 0);
  const users = useUserNames(ids, !ofAll && can('read:users'));
  if (!ofAll) return users;
  const items = records.data?.items ?? [];
  return { names: new Map(items.map(({ id, name }) => [id, name])), isPending: records.isLoading };
}

/** Returns the user with this email address, among users whose addresses contain it. */
export function userWith(items: readonly User[], address: string): User | undefined {
  const searched = address.toLowerCase();
  return items.find(({ identifiers }) =>
    identifiers.some(({ identifier }) => identifier === searched),
  );
}

/** If this many newer users have addresses that contain the text, older users are not searched. */
export const queryOfAddress = (email: string) => ({ email, limit: 25 });
