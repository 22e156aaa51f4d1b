import { VerificationError } from '../errors.ts';
import type { AccessTokenClaims } from '../generated/claims.ts';

/** The status reference of a token: a bit of a list of its issuer. */
export interface StatusReference {
  /** The number of the list. */
  readonly shard: number;
  /** The number of the bit. */
  readonly index: number;
}

const NUMBER = /^(0|[1-9]\d{0,8})$/;

/** Returns the path of a list, relative to its issuer. */
export function statusPath(shard: number): string {
  return `/status/${shard}`;
}

/**
 * Returns the status reference of a token (draft-ietf-oauth-status-list), if it has one.
 *
 * @throws VerificationError `status_foreign` if it is not at the issuer's own URL
 */
export function readStatusReference(
  { status }: AccessTokenClaims,
  issuer: string,
): StatusReference | undefined {
  if (status === undefined) return undefined;
  const { idx, uri } = objectIn(objectIn(status)['status_list']);
  const before = `${issuer}${statusPath(0).slice(0, -1)}`;
  const number = typeof uri === 'string' && uri.startsWith(before) ? uri.slice(before.length) : '';
  if (!NUMBER.test(number) || !Number.isSafeInteger(idx) || Number(idx) < 0) {
    throw new VerificationError('status_foreign');
  }
  return { shard: Number(number), index: Number(idx) };
}

function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
