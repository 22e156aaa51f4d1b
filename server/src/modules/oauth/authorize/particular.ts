import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { OWN, readDetails, type TargetId } from '../resources/index.ts';
import type { Rejection, RequestingClient, RequestPolicy } from './request.ts';

interface Given {
  readonly client: Pick<RequestingClient, 'authorization_details_types'>;
  readonly policy: Pick<RequestPolicy, 'resources'>;
  readonly value: (name: string) => string | undefined;
}

interface Particular {
  readonly targets: readonly TargetId[] | Rejection;
  readonly details?: readonly AuthorizationDetail[];
}

function refused(flaw: string): Rejection {
  const description = `authorization_details cannot be granted: ${flaw}. RFC 9396.`;
  return { error: 'invalid_authorization_details', description };
}

/**
 * What is asked for in particular (RFC 9396 §5). Its resources are those that tokens are asked for, unless the request names
 * some, which then have to include them.
 */
export function readParticular(
  { client, policy, value }: Given,
  targets: readonly TargetId[] | Rejection,
): Particular | Rejection {
  const text = value('authorization_details');
  if (text === undefined || 'error' in targets) return { targets };
  const read = readDetails(text, client.authorization_details_types, policy.resources);
  if ('flaw' in read) return refused(read.flaw);
  // What a client asks for without naming it would be all that it may.
  if (value('scope') === undefined) return refused('scope is required beside it');
  const { details } = read;
  const places = read.resources.map(({ id }) => id);
  if (targets.every((one) => one === OWN)) return { targets: [...targets, ...places], details };
  const isLacking = places.some((id) => !targets.includes(id));
  return isLacking ? refused('resource does not name its resource') : { targets, details };
}
