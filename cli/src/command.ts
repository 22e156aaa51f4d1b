import type { Readable } from 'node:stream';

/** Exit codes. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  findings: 3,
  unavailable: 4,
} as const;

/** The command line is invalid: nothing was attempted. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Standard input. */
export type Input = Readable & { readonly isTTY?: boolean };

export interface Option {
  /** The placeholder of the value; an option without a placeholder is a switch. */
  readonly value?: string;
  /** The values that completion offers. */
  readonly choices?: readonly string[];
  readonly help: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** The options and arguments of a command line, in order. */
export class ParsedOptions {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** Positional arguments: ids. */
  readonly args: readonly string[];

  constructor(values: ReadonlyMap<string, readonly string[]>, args: readonly string[] = []) {
    this.#values = values;
    this.args = args;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** The value of an option that is not repeatable. */
  get(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** Returns an object with this one field, or an empty object if the option is absent. */
  field<Field extends string>(name: string, field: Field): { readonly [F in Field]?: string } {
    const value = this.#values.get(name)?.[0];
    return (value === undefined ? {} : { [field]: value }) as { readonly [F in Field]?: string };
  }
}

interface Described {
  /** Such as `tenant create`. */
  readonly name: string;
  readonly summary: string;
  readonly details: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Complete command lines, ready to paste into a shell. */
  readonly examples: readonly string[];
}

/** A command that works on the database and returns a result. */
export interface Operation extends Described {
  readonly kind: 'operation';
  /** Returns the parameters, after reading secrets from standard input. */
  readonly parameters: (options: ParsedOptions, input: Input) => Promise<object> | object;
  /** The output without `--json`. */
  readonly render: (result: never) => string;
  /** Default: `EXIT.done`. */
  readonly exitCode?: (result: never) => number;
}

/** The command that runs the service. */
export interface Service extends Described {
  readonly kind: 'service';
}

/** A command that prints text generated from the list of commands. */
export interface Printer extends Described {
  readonly kind: 'printer';
  readonly text: (commands: readonly Command[]) => string;
}

/** The input and output of a remote command. */
export interface Context {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Input;
  readonly isJson: boolean;
  /** Prints results, to standard output. */
  readonly print: (text: string) => void;
  /** Prints everything else, to standard error. */
  readonly printError: (text: string) => void;
}

/** A command that calls the API of a service, or manages profiles. It never accesses a database. */
export interface Remote extends Described {
  readonly kind: 'remote';
  /** Calls no service. */
  readonly isOffline?: true;
  /** Placeholders of its positional arguments, all required. */
  readonly takes: readonly string[];
  /** @returns the result, or nothing if the command has printed it itself */
  readonly perform: (options: ParsedOptions, context: Context) => Promise<unknown>;
  /** The output without `--json`. */
  readonly render: (result: never) => string;
  /** Default: `EXIT.done`. */
  readonly exitCode?: (result: never) => number;
}

export type Command = Operation | Remote | Service | Printer;

/** A failure with its own code, and further fields for programs that read the output. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: string,
    message: string,
    exitCode: number = EXIT.failed,
    facts: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'CommandError';
    this.code = code;
    this.exitCode = exitCode;
    this.facts = facts;
  }
}

/** Whether a command accepts `--json`. */
export function hasJson({ kind }: Command): boolean {
  return kind === 'operation' || kind === 'remote';
}

/** Every option of a command, its own before the common ones. */
export function optionNames(command: Command): string[] {
  const names = [...Object.keys(command.options), ...(hasJson(command) ? ['json'] : []), 'help'];
  return names.map((name) => `--${name}`);
}

/** Declares a command; the compiler checks that its functions agree on the type of the result. */
export function operation<Result>(
  definition: Omit<Operation, 'kind' | 'render' | 'exitCode'> & {
    readonly render: (result: Result) => string;
    readonly exitCode?: (result: Result) => number;
  },
): Operation {
  return { ...definition, kind: 'operation' };
}

/** Declares a remote command, with the same check. */
export function remote<Result>(
  definition: Omit<Remote, 'kind' | 'perform' | 'render' | 'takes' | 'exitCode'> & {
    readonly takes?: readonly string[];
    readonly perform: (options: ParsedOptions, context: Context) => Promise<Result | undefined>;
    readonly render: (result: Result) => string;
    readonly exitCode?: (result: Result) => number;
  },
): Remote {
  return { takes: [], ...definition, kind: 'remote' };
}
