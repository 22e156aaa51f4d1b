import { createReadStream } from 'node:fs';
import { PIECE_BYTES, recordsOf } from '../../../contract/src/user-exports/reader.ts';
import {
  ExportProblem,
  type Found,
  type Source,
} from '../../../contract/src/user-exports/source.ts';
import { UsageError } from '../command.ts';

/**
 * Yields the records of an export, reading the file only as they are consumed.
 * @throws UsageError if the file cannot be read or has another format
 */
export async function* readRecords(file: string, source: Source): AsyncGenerator<Found> {
  const pieces = createReadStream(file, { encoding: 'utf8', highWaterMark: PIECE_BYTES });
  try {
    yield* recordsOf(pieces as AsyncIterable<string>, source);
  } catch (error) {
    if (error instanceof ExportProblem) throw new UsageError(`${file}: ${error.message}`);
    if (!isOfSystem(error)) throw error;
    throw new UsageError(`${file} cannot be read: ${error.code}.`);
  }
}

function isOfSystem(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}
