import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { UsageError } from '../command.ts';
import { readCsv } from './csv.ts';
import { type Found, RecordProblem, type Source, type SourceRecord } from './source.ts';

/**
 * The records of an export. JSON lines are read as they are needed, anything else at once.
 * @throws UsageError if the file cannot be read, or has another form
 */
export async function* readRecords(file: string, source: Source): AsyncGenerator<Found> {
  const head = await readHead(file);
  if (source.form === 'lines' || (source.within === undefined && isLines(head)))
    yield* readLines(file);
  else if (/^\s*[[{]/.test(head)) yield* readWhole(file, source);
  else yield* readCsv(await readText(file));
}

const HEAD_BYTES = 64 * 1024;

async function readHead(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Whether the first line is an object by itself. */
function isLines(head: string): boolean {
  return isRecord(parse(head.trimStart().split('\n', 1)[0] ?? ''));
}

async function* readLines(file: string): AsyncGenerator<Found> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let at = 0;
  for await (const line of lines) {
    at += 1;
    const text = at === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') continue;
    const value = parse(text);
    yield { at, record: isRecord(value) ? value : new RecordProblem('is not a JSON object') };
  }
}

async function* readWhole(file: string, { within }: Source): AsyncGenerator<Found> {
  const value = parse(await readText(file));
  const list = isRecord(value) && within !== undefined ? value[within] : value;
  if (!Array.isArray(list)) {
    const where = within === undefined ? '' : `, in the field ${within} of an object`;
    throw new UsageError(`Expected ${file} to hold a list of users as JSON${where}.`);
  }
  for (const [index, one] of list.entries()) {
    const record = isRecord(one) ? one : new RecordProblem('is not a JSON object');
    yield { at: index + 1, record };
  }
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
}

function isRecord(value: unknown): value is SourceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
