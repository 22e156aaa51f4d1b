import type { Readable } from 'node:stream';

/** What a command line ends with. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  findings: 3,
  unavailable: 4,
} as const;

/** The command line itself is wrong: nothing was tried. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Standard input. */
export type Input = Readable & { readonly isTTY?: boolean };

export interface Option {
  /** A placeholder for its value; an option without one is a switch. */
  readonly value?: string;
  /** What completion offers as its value. */
  readonly choices?: readonly string[];
  readonly help: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** The options that were given: texts for those that take a value, in their order. */
export class GivenOptions {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  /** What stands there without an option, in its order: ids. */
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

  /** The value of an option that is given once at most. */
  one(name: string): string | undefined {
    return this.#values.get(name)?.[0];
  }

  /** As one field of an object; no field when the option was not given. */
  field<Field extends string>(name: string, field: Field): { readonly [F in Field]?: string } {
    const value = this.#values.get(name)?.[0];
    return (value === undefined ? {} : { [field]: value }) as { readonly [F in Field]?: string };
  }
}

interface Described {
  /** As it is typed: `tenant create`. */
  readonly name: string;
  readonly summary: string;
  readonly details: string;
  readonly options: Readonly<Record<string, Option>>;
  /** Whole command lines, as they are pasted into a shell. */
  readonly examples: readonly string[];
}

/** A command that works on the database and answers. */
export interface Operation extends Described {
  readonly kind: 'operation';
  /** What it is run with; secrets are read from standard input here. */
  readonly given: (options: GivenOptions, input: Input) => Promise<object> | object;
  /** What people read. */
  readonly render: (result: never) => string;
  /** Default: done. */
  readonly exitCode?: (result: never) => number;
}

/** The command that runs the service. */
export interface Service extends Described {
  readonly kind: 'service';
}

/** A command that prints a text made from the commands, and needs no database. */
export interface Printer extends Described {
  readonly kind: 'printer';
  readonly text: (commands: readonly Command[]) => string;
}

/** What a remote command works with. */
export interface Outside {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: Input;
  readonly isJson: boolean;
  /** What was asked for, to standard output. */
  readonly print: (text: string) => void;
  /** Everything else, to standard error. */
  readonly complain: (text: string) => void;
}

/** A command that talks to a service over its API, or keeps how to reach one. It never touches a database. */
export interface Remote extends Described {
  readonly kind: 'remote';
  /** Placeholders of what it takes without an option, all of it needed. */
  readonly takes: readonly string[];
  /** @returns what it answers; nothing where it has printed that itself */
  readonly perform: (options: GivenOptions, outside: Outside) => Promise<unknown>;
  /** What people read. */
  readonly render: (result: never) => string;
}

export type Command = Operation | Remote | Service | Printer;

/** A failure with a code of its own, and what programs are told about it beside the message. */
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

/** Whether a command can answer JSON. */
export function hasJson({ kind }: Command): boolean {
  return kind === 'operation' || kind === 'remote';
}

/** Every option of a command as it is typed: its own, then those that others have too. */
export function optionNames(command: Command): string[] {
  const names = [...Object.keys(command.options), ...(hasJson(command) ? ['json'] : []), 'help'];
  return names.map((name) => `--${name}`);
}

/** Checks that a command's own functions agree on what its result is. */
export function operation<Result>(
  one: Omit<Operation, 'kind' | 'render' | 'exitCode'> & {
    readonly render: (result: Result) => string;
    readonly exitCode?: (result: Result) => number;
  },
): Operation {
  return { ...one, kind: 'operation' };
}

/** The same of a remote command. */
export function remote<Result>(
  one: Omit<Remote, 'kind' | 'perform' | 'render' | 'takes'> & {
    readonly takes?: readonly string[];
    readonly perform: (options: GivenOptions, outside: Outside) => Promise<Result | undefined>;
    readonly render: (result: Result) => string;
  },
): Remote {
  return { takes: [], ...one, kind: 'remote' };
}
