import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Input, UsageError } from './command.ts';

/** All of standard input, without the line end that `echo` and editors put after it. */
export async function readSecret(option: string, input: Input): Promise<string> {
  if (input.isTTY) {
    throw new UsageError(
      `--${option} reads the secret from a pipe or a file, so that it is not shown: keywright … < file`,
    );
  }
  const secret = (await text(input)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`--${option} was given, and standard input is empty.`);
  return secret;
}

/**
 * Asks at the terminal, and shows nothing of what is typed.
 *
 * @param option what to use where there is no terminal
 * @throws UsageError where nobody can be asked, or nothing is answered
 */
export async function askSecret(
  question: string,
  option: string,
  input: Input,
  complain: (text: string) => void,
): Promise<string> {
  if (!input.isTTY) throw new UsageError(`Use --${option}: there is no terminal to ask at.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  complain(`${question} (not shown):`);
  try {
    const secret = await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new UsageError('Nothing was entered.')));
      lines.once('close', () => reject(new UsageError('Nothing was entered.')));
      lines.once('line', resolve);
    });
    if (secret === '') throw new UsageError('Nothing was entered.');
    return secret;
  } finally {
    lines.close();
  }
}
