import { PIECE_BYTES, readerOf } from '@keywright/contract/user-exports/reader';
import { RecordProblem } from '@keywright/contract/user-exports/source';

/**
 * Reads a file as text, piece by piece.
 * @param onRead called with the number of bytes read
 * @throws TypeError if it is not UTF-8
 */
export async function* piecesOf(
  file: Blob,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    const bytes = await file.slice(at, at + PIECE_BYTES).arrayBuffer();
    yield decoder.decode(bytes, { stream: true });
    onRead(Math.min(at + PIECE_BYTES, file.size));
  }
  decoder.decode();
}

const ANY = { form: 'any' } as const;

/** Returns the field names in the first records of a file, in order. @throws TypeError, ExportProblem */
export async function columnsOf(file: Blob): Promise<readonly string[]> {
  const { value: head } = await piecesOf(file).next();
  if (head === undefined) return [];
  const records = readerOf(head, ANY).push(head);
  const names = records.flatMap(({ record }) =>
    record instanceof RecordProblem ? [] : Object.keys(record),
  );
  return [...new Set(names)].filter((name) => name !== '');
}
