import { readFileSync } from 'node:fs';
import {
  type Command,
  CommandError,
  EXIT,
  type GivenOptions,
  type Operation,
  type Outside,
  type Remote,
  UsageError,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpFor, overview } from './help.ts';
import { plain, plainJson } from './layout.ts';
import { parseCommandLine } from './parse.ts';

/** What the server's side of the command line answers. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** What a command line is connected to. */
export interface Surroundings extends Omit<Outside, 'isJson'> {
  /** Has the server do a command. */
  readonly operate: (name: string, given: object) => Promise<Answer>;
  /** Runs the service to its end. @returns its exit code */
  readonly serve: () => Promise<number>;
}

/** Failures that are not the command's: another exit code tells programs so. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  USAGE: EXIT.usage,
  UNREACHABLE: EXIT.unavailable,
  IN_USE: EXIT.unavailable,
};

/** Does what the arguments ask for, and never throws. @returns the exit code */
export async function run(args: readonly string[], around: Surroundings): Promise<number> {
  const isJson = args.includes('--json');
  try {
    return await runLine(args, around);
  } catch (error) {
    // Never a stack: what goes wrong here is told in a sentence.
    if (error instanceof UsageError)
      return refuse({ code: 'USAGE', message: error.message }, isJson, around);
    if (error instanceof CommandError) {
      const { code, message, facts } = error;
      refuse({ code, message, ...facts }, isJson, around);
      return error.exitCode;
    }
    const message = error instanceof Error ? error.message : 'unknown reason';
    return refuse({ code: 'FAILED', message }, isJson, around);
  }
}

async function runLine(args: readonly string[], around: Surroundings): Promise<number> {
  if (args.length === 0) {
    around.complain(overview());
    return EXIT.usage;
  }
  const asked = parseCommandLine(args);
  switch (asked.kind) {
    case 'version':
      around.print(`keywright ${version()}`);
      return EXIT.done;
    case 'help':
      around.print(asked.about.length === 0 ? overview() : helpFor(asked.about));
      return EXIT.done;
    case 'command':
      return runCommand(asked.command, asked.options, asked.isJson, around);
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function runCommand(
  command: Command,
  options: GivenOptions,
  isJson: boolean,
  around: Surroundings,
): Promise<number> {
  switch (command.kind) {
    case 'service':
      return around.serve();
    case 'operation':
      return runOperation(command, options, isJson, around);
    case 'remote':
      return runRemote(command, options, { ...around, isJson });
    case 'printer':
      around.print(command.text(COMMANDS));
      return Promise.resolve(EXIT.done);
  }
}

async function runOperation(
  command: Operation,
  options: GivenOptions,
  isJson: boolean,
  around: Surroundings,
): Promise<number> {
  const answer = await around.operate(command.name, await command.given(options, around.input));
  if (!answer.ok) return refuse(answer, isJson, around);
  around.print(isJson ? plainJson(answer) : command.render(answer.result as never));
  return command.exitCode?.(answer.result as never) ?? EXIT.done;
}

async function runRemote(
  command: Remote,
  options: GivenOptions,
  outside: Outside,
): Promise<number> {
  const result = await command.perform(options, outside);
  if (result === undefined) return EXIT.done;
  outside.print(outside.isJson ? plainJson({ ok: true, result }) : command.render(result as never));
  return EXIT.done;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

function refuse(refusal: Refusal, isJson: boolean, around: Surroundings): number {
  if (isJson) around.print(plainJson({ ok: false, ...refusal }));
  else around.complain(`keywright: ${plain(refusal.message)}`);
  return EXIT_BY_CODE[refusal.code] ?? EXIT.failed;
}
