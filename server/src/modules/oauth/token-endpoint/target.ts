import type { SessionTarget } from '../../tokens/sessions/index.ts';
import { type Resource, scopesAt } from '../resources/index.ts';

/** A resource, as the access token of a session is minted for it. */
export function targetOf(resource: Resource): SessionTarget {
  const { uri, tokenTtlSeconds, algorithm, typ, detailsTypes } = resource;
  return {
    uri,
    tokenTtlSeconds,
    algorithm,
    typ,
    detailsFor: (granted) =>
      granted.filter(({ type }) => detailsTypes.some((one) => one.type === type)),
    scopesFor: (granted, held) => scopesAt(resource, granted, held),
  };
}
