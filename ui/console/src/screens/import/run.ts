import { batchesOf } from '@keywright/contract/user-exports/batches';
import { recordsOf } from '@keywright/contract/user-exports/reader';
import type { Source } from '@keywright/contract/user-exports/source';
import { sendLines } from '../../api/lines.ts';
import { piecesOf } from './pieces.ts';
import { NOTHING, type Tally, withBatch } from './tally.ts';

/** What to import, and how to read it. */
export interface Plan {
  readonly file: File;
  readonly source: Source;
  readonly hashConfig: Readonly<Record<string, string>> | undefined;
  /** Replace the roles in the file; empty: none are replaced. */
  readonly roles: readonly string[];
}

interface Options {
  readonly tenant: string;
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  /** @param bytes number of bytes read from the file */
  readonly onProgress: (tally: Tally, bytes: number) => void;
}

/**
 * Reads a file and sends its users, a thousand at a time. The page can do other work between two pieces of the file,
 * and while a request is in progress.
 * @throws Problem, ExportProblem, TypeError
 */
export async function runImport(plan: Plan, options: Options): Promise<void> {
  const { tenant, isDry, signal, onProgress } = options;
  let bytes = 0;
  const pieces = piecesOf(plan.file, (read) => {
    bytes = read;
  });
  let tally: Tally = NOTHING;
  for await (const batch of batchesOf(recordsOf(pieces, plan.source), plan.source, plan)) {
    signal.throwIfAborted();
    const lines = batch.users.map(({ user }) => `${JSON.stringify(user)}\n`).join('');
    const query = isDry ? { dry_run: true } : {};
    const results =
      lines === ''
        ? []
        : (await sendLines(tenant, 'users.import', query, { lines, signal })).results;
    tally = withBatch(tally, batch, results);
    onProgress(tally, bytes);
  }
  onProgress(tally, plan.file.size);
}
