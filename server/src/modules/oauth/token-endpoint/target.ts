import type { SessionTarget } from '../../tokens/sessions/index.ts';
import { type Resource, scopesAt } from '../resources/index.ts';

/** A resource, as the access token of a session is minted for it. */
export function targetOf(resource: Resource): SessionTarget {
  const { uri, tokenTtlSeconds, algorithm } = resource;
  return {
    uri,
    tokenTtlSeconds,
    algorithm,
    scopesFor: (granted, held) => scopesAt(resource, granted, held),
  };
}
