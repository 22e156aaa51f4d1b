import { readFileSync } from 'node:fs';
import {
  type Command,
  CommandError,
  EXIT,
  type ParsedOptions,
  type Operation,
  type Context,
  type Remote,
  UsageError,
} from './command.ts';
import { COMMANDS } from './commands.ts';
import { helpFor, overview } from './help.ts';
import { plain, plainJson } from './layout.ts';
import { parseCommandLine } from './parse.ts';

/** The result of a local command that the server's code executed. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The environment of a command line. */
export interface ProgramContext extends Omit<Context, 'isJson'> {
  /** Executes a local command in the server's code. */
  readonly operate: (name: string, parameters: object) => Promise<Answer>;
  /** Runs the service until it exits. @returns its exit code */
  readonly serve: () => Promise<number>;
}

/** Failures with their own exit codes. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  USAGE: EXIT.usage,
  UNREACHABLE: EXIT.unavailable,
  IN_USE: EXIT.unavailable,
};

/** Executes a command line; never throws. @returns the exit code */
export async function run(args: readonly string[], context: ProgramContext): Promise<number> {
  const isJson = args.includes('--json');
  try {
    return await runLine(args, context);
  } catch (error) {
    // Report a one-line message, never a stack trace.
    if (error instanceof UsageError)
      return reportFailure({ code: 'USAGE', message: error.message }, isJson, context);
    if (error instanceof CommandError) {
      const { code, message, facts } = error;
      reportFailure({ code, message, ...facts }, isJson, context);
      return error.exitCode;
    }
    const message = error instanceof Error ? error.message : 'unknown reason';
    return reportFailure({ code: 'FAILED', message }, isJson, context);
  }
}

async function runLine(args: readonly string[], context: ProgramContext): Promise<number> {
  if (args.length === 0) {
    context.printError(overview());
    return EXIT.usage;
  }
  const parsed = parseCommandLine(args);
  switch (parsed.kind) {
    case 'version':
      context.print(`keywright ${version()}`);
      return EXIT.done;
    case 'help':
      context.print(parsed.about.length === 0 ? overview() : helpFor(parsed.about));
      return EXIT.done;
    case 'command':
      return runCommand(parsed.command, parsed.options, parsed.isJson, context);
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

function runCommand(
  command: Command,
  options: ParsedOptions,
  isJson: boolean,
  context: ProgramContext,
): Promise<number> {
  switch (command.kind) {
    case 'service':
      return context.serve();
    case 'operation':
      return runOperation(command, options, isJson, context);
    case 'remote':
      return runRemote(command, options, { ...context, isJson });
    case 'printer':
      context.print(command.text(COMMANDS));
      return Promise.resolve(EXIT.done);
  }
}

async function runOperation(
  command: Operation,
  options: ParsedOptions,
  isJson: boolean,
  context: ProgramContext,
): Promise<number> {
  const answer = await context.operate(
    command.name,
    await command.parameters(options, context.input),
  );
  if (!answer.ok) return reportFailure(answer, isJson, context);
  context.print(isJson ? plainJson(answer) : command.render(answer.result as never));
  return command.exitCode?.(answer.result as never) ?? EXIT.done;
}

async function runRemote(
  command: Remote,
  options: ParsedOptions,
  context: Context,
): Promise<number> {
  const result = await command.perform(options, context);
  if (result === undefined) return EXIT.done;
  context.print(context.isJson ? plainJson({ ok: true, result }) : command.render(result as never));
  return command.exitCode?.(result as never) ?? EXIT.done;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly [fact: string]: unknown;
}

/** Prints one line, unless the message lists statements to run. */
function shown({ code, message }: Failure): string {
  return code === 'ROLE_UNUSABLE' ? message.split('\n').map(plain).join('\n') : plain(message);
}

function reportFailure(failure: Failure, isJson: boolean, context: ProgramContext): number {
  if (isJson) context.print(plainJson({ ok: false, ...failure }));
  else {
    context.printError(`keywright: ${shown(failure)}`);
    if (typeof failure['doc'] === 'string') context.printError(`More: ${plain(failure['doc'])}`);
  }
  return EXIT_BY_CODE[failure.code] ?? EXIT.failed;
}
