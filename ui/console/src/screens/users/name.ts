import type { User } from '@keywright/sdk';

/** Returns the name of a user: the first identifier. */
export function nameOfUser({ identifiers, id }: User): string {
  return identifiers[0]?.identifier ?? id;
}
