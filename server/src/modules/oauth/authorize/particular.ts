import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { OWN, readDetails, type TargetId } from '../resources/index.ts';
import type { Rejection, RequestingClient, RequestPolicy } from './request.ts';

interface DetailsInput {
  readonly client: Pick<RequestingClient, 'authorization_details_types'>;
  readonly policy: Pick<RequestPolicy, 'resources'>;
  readonly value: (name: string) => string | undefined;
}

interface Particular {
  readonly targets: readonly TargetId[] | Rejection;
  readonly details?: readonly AuthorizationDetail[];
}

function rejectDetails(flaw: string): Rejection {
  const description = `authorization_details cannot be granted: ${flaw}. RFC 9396.`;
  return { error: 'invalid_authorization_details', description };
}

/**
 * The authorization details (RFC 9396 §5). Their resources become targets of the request. If the request names targets
 * itself, they must include these resources.
 */
export function readParticular(
  { client, policy, value }: DetailsInput,
  targets: readonly TargetId[] | Rejection,
): Particular | Rejection {
  const text = value('authorization_details');
  if (text === undefined || 'error' in targets) return { targets };
  const read = readDetails(text, client.authorization_details_types, policy.resources);
  if ('flaw' in read) return rejectDetails(read.flaw);
  // Without a scope, the client would request all of its scopes.
  if (value('scope') === undefined) return rejectDetails('scope is required beside it');
  const { details } = read;
  const places = read.resources.map(({ id }) => id);
  if (targets.every((one) => one === OWN)) return { targets: [...targets, ...places], details };
  const isLacking = places.some((id) => !targets.includes(id));
  return isLacking ? rejectDetails('resource does not name its resource') : { targets, details };
}
