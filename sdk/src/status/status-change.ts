import { type Author, integerIn, invalid, readStatement } from './statement.ts';

const TYP = 'statusdelta+jwt';

/** The revocations between two versions. */
export interface Change {
  readonly kind: 'change';
  readonly iat: number;
  readonly from: number;
  readonly version: number;
  /** Bits by list number. Empty in a heartbeat. */
  readonly revoked: ReadonlyMap<number, readonly number[]>;
}

/** An event of the stream. */
export type StatusEvent =
  | Change
  /** The service no longer has the changes, so the lists must be fetched again. */
  | { readonly kind: 'reset'; readonly iat: number; readonly version: number }
  /** The tenant was deactivated or deleted. */
  | { readonly kind: 'closed'; readonly iat: number };

/** Reads the statement of an event. @throws ProblemError */
export async function readStatusEvent(jws: string, author: Author): Promise<StatusEvent> {
  const { iat, payload } = await readStatement(jws, TYP, author);
  if (payload['closed'] === true) return { kind: 'closed', iat };
  const version = integerIn(payload, 'version');
  if (payload['reset'] === true) return { kind: 'reset', iat, version };
  const from = integerIn(payload, 'from');
  if (from > version) invalid('It ends before it starts.');
  return { kind: 'change', iat, from, version, revoked: readRevoked(payload['revoked'] ?? {}) };
}

const LIST_NUMBER = /^(0|[1-9]\d{0,8})$/;

function readRevoked(value: unknown): ReadonlyMap<number, readonly number[]> {
  if (typeof value !== 'object' || value === null)
    invalid('Its revocations are not grouped by list.');
  return new Map(
    Object.entries(value).map(([shard, indices]: [string, unknown]) => {
      if (!LIST_NUMBER.test(shard) || !isIndices(indices)) {
        invalid('Its revocations are not bit numbers.');
      }
      return [Number(shard), indices];
    }),
  );
}

function isIndices(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.every((index) => Number.isSafeInteger(index) && Number(index) >= 0)
  );
}
