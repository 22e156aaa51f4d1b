import type { Batch } from '@keywright/contract/user-exports/batches';
import type { ImportResult } from '@keywright/sdk';

/** Why a line was not imported. */
interface Refused {
  readonly at: number;
  readonly code: string;
  /** A JSON pointer; empty: the whole line. */
  readonly path: string;
  readonly message: string;
}

interface Counts {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
}

/** The results of the lines so far. It stores only IDs of users, and nothing of their passwords. */
export interface Tally extends Counts {
  /** Only the first ones. The report contains all. */
  readonly refused: readonly Refused[];
  /** JSON lines, in pieces. */
  readonly report: readonly string[];
}

export const NOTHING: Tally = { created: 0, existing: 0, failed: 0, refused: [], report: [] };
const MOST_REFUSED = 100;

/** Adds the results of one more batch. */
export function withBatch(
  before: Tally,
  { users, problems }: Batch,
  results: readonly ImportResult[],
): Tally {
  const unread = problems.map(({ at, message }) => {
    const error = { code: 'NOT_CONVERTED', path: '', message };
    return { at, status: 'failed' as const, error };
  });
  const answered = results.map(({ line, ...result }) => ({
    at: users[line - 1]?.at ?? 0,
    ...result,
  }));
  const lines = [...unread, ...answered].toSorted((line, other) => line.at - other.at);
  const count = (status: ImportResult['status']) =>
    lines.filter((line) => line.status === status).length;
  const refused = lines.flatMap(({ at, error }) => (error ? [{ at, ...error }] : []));
  return {
    created: before.created + count('created'),
    existing: before.existing + count('existing'),
    failed: before.failed + count('failed'),
    refused: [...before.refused, ...refused].slice(0, MOST_REFUSED),
    report: [...before.report, lines.map((line) => `${JSON.stringify(line)}\n`).join('')],
  };
}
