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

interface Option {
  /** A placeholder for its value; an option without one is a switch. */
  readonly value?: string;
  readonly help: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** The options that were given: texts for those that take a value, in their order. */
export class GivenOptions {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
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

export type Command = Operation | Service | Printer;

/** Every option of a command as it is typed: its own, then those that others have too. */
export function optionNames({ kind, options }: Command): string[] {
  const names = [...Object.keys(options), ...(kind === 'operation' ? ['json'] : []), 'help'];
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
