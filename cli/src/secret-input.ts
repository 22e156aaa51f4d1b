import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Input, UsageError } from './command.ts';

/** Reads all of standard input and drops one trailing line break, which `echo` and editors add. */
export async function readSecret(option: string, input: Input): Promise<string> {
  if (input.isTTY) {
    throw new UsageError(
      `--${option} reads from a pipe or a file, not a terminal: keywright … < file`,
    );
  }
  const secret = (await text(input)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`--${option} was given, but standard input is empty.`);
  return secret;
}

/**
 * Prompts at the terminal, without echo.
 *
 * @param option the alternative without a terminal
 * @throws UsageError without a terminal or input
 */
export async function promptSecret(
  question: string,
  option: string,
  input: Input,
  printError: (text: string) => void,
): Promise<string> {
  if (!input.isTTY) throw new UsageError(`There is no terminal to prompt on: use --${option}.`);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: silent, terminal: true });
  printError(`${question} (input hidden):`);
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
