import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { EXIT, CommandError, remote, UsageError } from '../command.ts';

/** The header of the file format. After it come the first 8 bytes of each hash, sorted. */
const HEAD = Buffer.from('KWPW0001');
const PREFIX_DIGITS = 16;
const LINE = /^([0-9A-Fa-f]{40})(:\d+)?\s*$/;
const WRITTEN_AT_ONCE = 64 * 1024;

interface Built {
  readonly file: string;
  readonly hashes: number;
  readonly bytes: number;
}

export const passwordsBuild = remote<Built>({
  name: 'passwords build',
  isOffline: true,
  summary: 'build the file of breached passwords for the setting breached_passwords: file',
  details:
    'Reads SHA-1 hashes in hexadecimal, sorted, one per line, each optionally followed by :COUNT, as Have ' +
    'I Been Pwned publishes them. Writes 8 bytes per hash. Set KEYWRIGHT_BREACHED_PASSWORDS_FILE to the ' +
    'path of the file. Does not call a service.',
  takes: ['HASHES', 'FILE'],
  options: {},
  examples: ['keywright passwords build pwned-passwords-sha1.txt /var/lib/keywright/breached.bin'],
  perform: async ({ args: [source = '', file = ''] }) => {
    const part = `${file}.part`;
    const handle = await open(part, 'w').catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`${part} cannot be written: ${error.code}.`);
    });
    try {
      const bytes = await write(handle, source);
      await handle.sync();
      await handle.close();
      await rename(part, file);
      return { file, hashes: (bytes - HEAD.length) / 8, bytes };
    } catch (error) {
      await handle.close();
      await rm(part, { force: true });
      throw error;
    }
  },
  render: ({ file, hashes, bytes }) => `Wrote ${hashes} hashes to ${file}: ${bytes} bytes.`,
});

/** @returns the number of bytes */
async function write(
  handle: { readonly write: (bytes: Buffer) => Promise<unknown> },
  source: string,
): Promise<number> {
  let waiting: Buffer[] = [HEAD];
  let [size, written] = [HEAD.length, 0];
  let before = '';
  const flush = async () => {
    await handle.write(Buffer.concat(waiting));
    written += size;
    [waiting, size] = [[], 0];
  };
  for await (const { number, hash } of hashesIn(source)) {
    if (hash < before) throw unfit(source, number, 'is not sorted');
    const isNew = hash.slice(0, PREFIX_DIGITS) !== before.slice(0, PREFIX_DIGITS);
    before = hash;
    if (!isNew) continue;
    waiting.push(Buffer.from(hash.slice(0, PREFIX_DIGITS), 'hex'));
    size += PREFIX_DIGITS / 2;
    if (size >= WRITTEN_AT_ONCE) await flush();
  }
  await flush();
  return written;
}

async function* hashesIn(source: string) {
  let number = 0;
  let rest = '';
  try {
    for await (const chunk of createReadStream(source, 'latin1')) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        number += 1;
        yield { number, hash: hashIn(source, number, line) };
      }
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof CommandError || code === undefined) throw error;
    throw new UsageError(`${source} cannot be read: ${code}.`);
  }
  if (rest !== '') yield { number: number + 1, hash: hashIn(source, number + 1, rest) };
}

function hashIn(source: string, number: number, line: string): string {
  const [, hash] = LINE.exec(line) ?? [];
  if (hash === undefined) throw unfit(source, number, 'is not a SHA-1 hash in hexadecimal');
  return hash.toUpperCase();
}

function unfit(source: string, line: number, problem: string): CommandError {
  return new CommandError('INPUT_INVALID', `Line ${line} of ${source} ${problem}.`, EXIT.failed);
}
