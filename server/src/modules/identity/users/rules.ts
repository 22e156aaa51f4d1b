import type { Fail } from '@keywright/contract/errors';
import {
  type Identifier,
  type IdentifierType,
  parseIdentifier,
} from '@keywright/contract/identifiers';
import { metadataFlaw } from './metadata.ts';
import type { NewIdentifier } from './store.ts';

/** @throws AppError VALIDATION_FAILED unless the text is an e-mail address or a phone number */
export function requireIdentifier(
  text: string,
  path: string,
  fail: Fail<'VALIDATION_FAILED'>,
): Identifier {
  const message = 'must be an e-mail address, or a phone number such as +15551234567';
  return parseIdentifier(text) ?? fail('VALIDATION_FAILED', { errors: [{ path, message }] });
}

/** @throws AppError VALIDATION_FAILED when the metadata cannot be kept */
export function requireGoodMetadata(
  metadata: Record<string, unknown>,
  path: '/metadata' | '/user_metadata',
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const message = metadataFlaw(metadata);
  if (message !== undefined) {
    fail('VALIDATION_FAILED', { errors: [{ path, message }] });
  }
}

export interface AskedIdentifier {
  /** Has to be what the identifier is. */
  readonly type?: IdentifierType;
  readonly identifier: string;
  readonly verified?: boolean;
}

/** The new identifiers of a user. Verified ones stay verified; users cannot change `verified` of their own. */
export function nextIdentifiers(
  asked: readonly AskedIdentifier[],
  present: readonly { readonly identifier: string; readonly verified: boolean }[],
  isOwn: boolean,
  fail: Fail<'VALIDATION_FAILED' | 'SELF_VERIFICATION_REFUSED'>,
): NewIdentifier[] {
  const known = new Map(present.map((one) => [one.identifier, one.verified]));
  const next = asked.map((one, index) => {
    const parsed = requireIdentifier(one.identifier, `/identifiers/${index}/identifier`, fail);
    if (one.type !== undefined && one.type !== parsed.type) {
      const message = `must be ${parsed.type}, which is what the identifier is`;
      fail('VALIDATION_FAILED', { errors: [{ path: `/identifiers/${index}/type`, message }] });
    }
    const before = known.get(parsed.identifier) ?? false;
    const verified = one.verified ?? before;
    if (isOwn && verified !== before) fail('SELF_VERIFICATION_REFUSED');
    return { ...parsed, verified };
  });
  if (new Set(next.map((one) => one.identifier)).size < next.length) {
    const message = 'must not hold an identifier twice';
    fail('VALIDATION_FAILED', { errors: [{ path: '/identifiers', message }] });
  }
  return next;
}
