import type { User } from '@keywright/sdk';

/** What a user is called: the first identifier. */
export function nameOfUser({ identifiers, id }: User): string {
  return identifiers[0]?.identifier ?? id;
}
