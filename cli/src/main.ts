import { readFileSync } from 'node:fs';
import { runAttached } from './child.mjs';
import { type Command, EXIT, type GivenOptions, type Operation, UsageError } from './command.ts';
import { helpFor, overview } from './help.ts';
import { plain } from './layout.ts';
import { operate, serverProgram } from './operate.ts';
import { parseCommandLine } from './parse.ts';

/** Failures that are not the command's: another exit code tells programs so. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  USAGE: EXIT.usage,
  UNREACHABLE: EXIT.unavailable,
  IN_USE: EXIT.unavailable,
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    process.stderr.write(`${overview()}\n`);
    return EXIT.usage;
  }
  const asked = parseCommandLine(args);
  switch (asked.kind) {
    case 'version':
      print(`keywright ${version()}`);
      return EXIT.done;
    case 'help':
      print(asked.about.length === 0 ? overview() : helpFor(asked.about));
      return EXIT.done;
    case 'command':
      return runCommand(asked.command, asked.options, asked.isJson);
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function runCommand(command: Command, options: GivenOptions, isJson: boolean): Promise<number> {
  return command.kind === 'service'
    ? runAttached(process.execPath, [serverProgram('main')])
    : runOperation(command, options, isJson);
}

async function runOperation(
  command: Operation,
  options: GivenOptions,
  isJson: boolean,
): Promise<number> {
  const answer = await operate(command.name, await command.given(options));
  if (!answer.ok) return refuse(answer.code, answer.message, isJson);
  print(isJson ? JSON.stringify(answer) : command.render(answer.result as never));
  return command.exitCode?.(answer.result as never) ?? EXIT.done;
}

function refuse(code: string, message: string, isJson: boolean): number {
  if (isJson) print(JSON.stringify({ ok: false, code, message }));
  else process.stderr.write(`keywright: ${plain(message)}\n`);
  return EXIT_BY_CODE[code] ?? EXIT.failed;
}

/** Never a stack: what goes wrong here is told in a sentence. */
function refuseError(error: unknown, isJson: boolean): number {
  if (error instanceof UsageError) return refuse('USAGE', error.message, isJson);
  return refuse('FAILED', error instanceof Error ? error.message : 'unknown reason', isJson);
}

// Whoever reads has read enough, as `head` does.
process.stdout.on('error', () => process.exit(EXIT.failed));

const given = process.argv.slice(2);
process.exitCode = await run(given).catch((error: unknown) =>
  refuseError(error, given.includes('--json')),
);
