import { isDeepStrictEqual } from 'node:util';
import type { AuthorizationDetail } from '@keywright/contract/records/authorization-details';
import { listIn } from '../resources/index.ts';
import type { Application } from './application.ts';
import type { Refuse } from './request.ts';

/**
 * What of that which a user allowed in particular a client still may have, and of this, what it asks for: without a wish all
 * of it (RFC 9396 §6).
 * @throws AppError AUTHORIZATION_DETAILS_INVALID for what was not allowed, be it narrower: only its resource could tell
 */
export function chooseDetails(
  { authorization_details_types: types }: Pick<Application, 'authorization_details_types'>,
  granted: readonly AuthorizationDetail[] = [],
  asked: string | undefined,
  fail: Refuse,
): readonly AuthorizationDetail[] {
  const left = granted.filter(({ type }) => types.includes(type));
  if (asked === undefined) return left;
  const listed = listIn(asked);
  if ('flaw' in listed) return fail('AUTHORIZATION_DETAILS_INVALID');
  return listed.list.map((one) => {
    // Two payments may be equal: each is taken once.
    const index = left.findIndex((known) => isDeepStrictEqual(known, one));
    const [chosen] = index === -1 ? [] : left.splice(index, 1);
    return chosen ?? fail('AUTHORIZATION_DETAILS_INVALID');
  });
}
