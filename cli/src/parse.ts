import { parseArgs } from 'node:util';
import { type Command, ParsedOptions, hasJson, optionNames, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { didYouMean } from '@keywright/contract/suggest';

/** Much longer than any id. */
const MAX_ID_LENGTH = 256;

export type ParsedCommandLine =
  | { readonly kind: 'version' }
  /** The commands to describe; the overview if `about` is empty. */
  | { readonly kind: 'help'; readonly about: readonly Command[] }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly options: ParsedOptions;
      readonly isJson: boolean;
    };

/** @throws UsageError */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  const args = withGroup(argv);
  const [first = ''] = args;
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === '--help' || first === '-h') return { kind: 'help', about: [] };
  if (first === 'help') return { kind: 'help', about: findAbout(args.slice(1)) };
  if (first.startsWith('-')) {
    const meant = didYouMean(nameOf(first), ['--help', '--version']);
    throw new UsageError(`Unknown option ${nameOf(first)}.${meant} ${listOf(COMMANDS)}`);
  }
  const rest = args.slice(first === '' ? 0 : 1);
  if (isGroup(first) && rest.some(isHelp)) return { kind: 'help', about: findAbout(args) };
  return parseOptions(findCommand(args), args);
}

/** Accepts a group in the plural: `keywright users list`. */
function withGroup([first = '', ...rest]: readonly string[]): readonly string[] {
  const words = first.endsWith('s') ? `${first.slice(0, -1)} ${rest[0]}` : '';
  return [COMMANDS.some(({ name }) => name === words) ? first.slice(0, -1) : first, ...rest];
}

function isGroup(word: string): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `));
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** The named command, or the commands of the named group. */
function findAbout(words: readonly string[]): readonly Command[] {
  const [first, second = ''] = words;
  if (first === undefined || isHelp(first)) return [];
  const exact = COMMANDS.filter(({ name }) => name === first || name === `${first} ${second}`);
  if (exact.length > 0) return exact;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === '' || second.startsWith('-'))) return group;
  return [findCommand(words)];
}

/** @throws UsageError listing the commands */
function findCommand(words: readonly string[]): Command {
  const [first = '', second = ''] = words;
  const found = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found) return found;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  const wrong = JSON.stringify(first);
  if (group.length === 0) {
    throw new UsageError(`Unknown command ${wrong}.${meantBy(first, second)} ${listOf(COMMANDS)}`);
  }
  const meant = didYouMean(
    `${first} ${second}`,
    group.map(({ name }) => name),
  );
  throw new UsageError(`${wrong} needs a subcommand.${meant} ${listOf(group)}`);
}

/** Suggests matches for both words or, failing that, for the first word, which can name a group. */
function meantBy(first: string, second: string): string {
  const names = COMMANDS.map(({ name }) => name);
  const groups = names.map((name) => name.split(' ')[0] ?? name);
  const whole = second === '' || second.startsWith('-') ? '' : `${first} ${second}`;
  return didYouMean(whole, names) || didYouMean(first, [...names, ...groups, 'help']);
}

/** Names only the first words of the whole table; help lists the rest. */
function listOf(commands: readonly Command[]): string {
  const names = commands.map(({ name }) =>
    commands === COMMANDS ? (name.split(' ')[0] ?? name) : name,
  );
  return `Commands: ${[...new Set(names)].join(', ')}.`;
}

function parseOptions(command: Command, args: readonly string[]): ParsedCommandLine {
  const rest = args.slice(command.name.split(' ').length);
  const { tokens } = parseArgs({
    args: rest,
    options: parserOptions(command),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (isHelp(token.rawName)) return { kind: 'help', about: [command] };
    const text = valueOf(command, token);
    values.set(token.name, [...(values.get(token.name) ?? []), text]);
  }
  requireComplete(command, values);
  requireArguments(command, positionals);
  return {
    kind: 'command',
    command,
    options: new ParsedOptions(values, positionals),
    isJson: values.has('json'),
  };
}

function parserOptions(command: Command) {
  const entries = Object.entries(command.options).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  const json = hasJson(command) ? { json: { type: 'boolean' } as const } : {};
  return {
    ...Object.fromEntries(entries),
    ...json,
    help: { type: 'boolean', short: 'h' } as const,
  };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function valueOf(command: Command, { name, rawName, value, inlineValue }: OptionToken): string {
  const isSwitch = name === 'json' && hasJson(command);
  const option = isSwitch ? { help: '' } : command.options[name];
  const isDeclared = Object.hasOwn(command.options, name) || isSwitch;
  if (!isDeclared || !option || !rawName.startsWith('--')) {
    const meant = didYouMean(nameOf(rawName), optionNames(command));
    throw new UsageError(
      `"${command.name}" has no option ${nameOf(rawName)}.${meant} ${optionsOf(command)}`,
    );
  }
  if (!('value' in option)) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value.`);
    return '';
  }
  const isNext = !inlineValue && value?.startsWith('-') === true;
  if (value === undefined || value === '' || isNext) {
    throw new UsageError(`--${name} needs a value: --${name}=${option.value}`);
  }
  return value;
}

/** Returns the name of the option without any value. */
function nameOf(text: string): string {
  return text.split('=')[0] ?? '';
}

function optionsOf(command: Command): string {
  return `Options: ${optionNames(command).join(', ')}.`;
}

function requireComplete(command: Command, values: ReadonlyMap<string, readonly string[]>): void {
  for (const [name, { isRequired, isRepeatable, value }] of Object.entries(command.options)) {
    const times = values.get(name)?.length ?? 0;
    if (isRequired && times === 0) {
      throw new UsageError(`"${command.name}" needs --${name} ${value}.`);
    }
    if (!isRepeatable && times > 1) throw new UsageError(`--${name} was given twice.`);
  }
}

/** Messages do not repeat an argument, because it could be a secret. */
function requireArguments(command: Command, args: readonly string[]): void {
  const takes = command.kind === 'remote' ? command.takes : [];
  if (args.length === takes.length && args.every(isId)) return;
  if (takes.length === 0) {
    throw new UsageError(`"${command.name}" takes no arguments. ${optionsOf(command)}`);
  }
  const at = args.length < takes.length ? args.length : args.findIndex((text) => !isId(text));
  const missing = takes[at];
  const wrong = missing === undefined ? 'takes no more arguments' : `needs ${missing}`;
  throw new UsageError(
    `"${command.name}" ${wrong}. Usage: keywright ${command.name} ${takes.join(' ')}`,
  );
}

/** Whether the ID is safe as a path segment. */
function isId(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.length <= MAX_ID_LENGTH;
}
