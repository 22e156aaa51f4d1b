import type { ActorClaim, CredentialClaims } from '@keywright/contract/claims';
import type { Holder } from './rules.ts';

/** The agents that act for the subject of a token, the one that presents it first. */
export function actorsOf({ act }: Pick<CredentialClaims, 'act'>): ActorClaim[] {
  const actors: ActorClaim[] = [];
  for (let one: ActorClaim | undefined = act; one?.delegation_id !== undefined; one = one.act) {
    actors.push(one);
  }
  return actors;
}

/** Whose permissions count: those of the subject and of every agent that acts for them. */
export function holderOf(claims: CredentialClaims): Holder {
  const actors = actorsOf(claims).map((one) => one.sub);
  return { scopes: claims.scopes, subjects: [claims.sub, ...actors] };
}
