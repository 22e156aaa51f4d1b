// An export is read in pieces, so that a large file is never entirely in memory.

import { createCsvReader } from './csv.ts';
import { createListReader } from './json-list.ts';
import { createLineReader } from './lines.ts';
import type { Found, Reader, Source } from './source.ts';

/** The size of a piece in bytes. The first piece must be large enough to detect the format of the file. */
export const PIECE_BYTES = 64 * 1024;

/** @param head the first piece of the file */
export function readerOf(head: string, source: Pick<Source, 'form' | 'within'>): Reader {
  const text = head.replace(BYTE_ORDER_MARK, '');
  if (source.form === 'lines' || (source.within === undefined && isLines(text))) {
    return withoutMark(createLineReader());
  }
  if (/^\s*[[{]/.test(text)) return withoutMark(createListReader(source.within));
  return withoutMark(createCsvReader());
}

/** Yields the records of a file as it is read. @throws ExportProblem */
export async function* recordsOf(
  pieces: AsyncIterable<string>,
  source: Pick<Source, 'form' | 'within'>,
): AsyncGenerator<Found> {
  let reader: Reader | undefined;
  for await (const piece of pieces) {
    reader ??= readerOf(piece, source);
    yield* reader.push(piece);
  }
  if (reader) yield* reader.end();
}

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Whether the first line is a complete JSON object. */
function isLines(head: string): boolean {
  const [first = ''] = head.trimStart().split('\n', 1);
  try {
    const value: unknown = JSON.parse(first);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function withoutMark(reader: Reader): Reader {
  let isFirst = true;
  return {
    push(piece) {
      if (piece === '') return [];
      const text = isFirst ? piece.replace(BYTE_ORDER_MARK, '') : piece;
      isFirst = false;
      return reader.push(text);
    },
    end: () => reader.end(),
  };
}
