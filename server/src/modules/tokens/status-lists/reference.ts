import type { AccessTokenClaims } from '@keywright/contract/claims';

/** Bits of one list: 16 KiB uncompressed. */
export const LIST_BITS = 131_072;

/** Set from the beginning: named by a token whose grant ended, or changed, while the token was created. */
export const REVOKED_BIT = 0;

type StatusClaim = NonNullable<AccessTokenClaims['status']>;

/** The status claim of an access token. The index counts over all lists of the issuer. */
export function statusClaim(issuer: string, bit: number): StatusClaim {
  const list = listOf(bit);
  return { status_list: { idx: bit - list * LIST_BITS, uri: listUri(issuer, list) } };
}

/** Which list a bit is in. */
export function listOf(bit: number): number {
  return Math.floor(bit / LIST_BITS);
}

export function listUri(issuer: string, list: number): string {
  return `${issuer}/status/${list}`;
}

const LIST_NUMBER = /^(0|[1-9]\d{0,8})$/;

/** Parses the number of a list in a path. */
export function readListNumber(text: string): number | undefined {
  return LIST_NUMBER.test(text) ? Number(text) : undefined;
}

/** Groups bits by list, each counted from the first of its list. */
export function byList(bits: readonly number[]): Map<number, number[]> {
  const lists = Map.groupBy(bits, listOf);
  for (const [list, own] of lists) {
    lists.set(
      list,
      own.map((bit) => bit - list * LIST_BITS),
    );
  }
  return lists;
}
