import type { ActorClaim } from '@keywright/contract/claims';
import { parseOAuthClientId } from '@keywright/contract/ids';

/** Whether it is an application that exchanged the token of another one: the token depends on the session of that one. */
export function isApplication({ sub }: ActorClaim): boolean {
  return parseOAuthClientId(sub) !== undefined;
}

/** How many act, one for another. */
export function countActors(act: ActorClaim | undefined): number {
  let count = 0;
  for (let actor = act; actor !== undefined; actor = actor.act) count += 1;
  return count;
}

/** The innermost, who acted before all others. */
export function firstActor(act: ActorClaim): ActorClaim {
  let actor = act;
  while (actor.act !== undefined) actor = actor.act;
  return actor;
}
