import { parseArgs } from 'node:util';
import { type Command, GivenOptions, hasJson, optionNames, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { didYouMean } from './suggest.ts';

/** Far longer than any id. */
const MOST_OF_ID = 256;

/** What a command line asks for. */
export type Asked =
  | { readonly kind: 'version' }
  /** About every command where none is named. */
  | { readonly kind: 'help'; readonly about: readonly Command[] }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly options: GivenOptions;
      readonly isJson: boolean;
    };

/** @throws UsageError */
export function parseCommandLine(args: readonly string[]): Asked {
  const [first = ''] = args;
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === '--help' || first === '-h') return { kind: 'help', about: [] };
  if (first === 'help') return { kind: 'help', about: findAbout(args.slice(1)) };
  if (first.startsWith('-')) {
    const meant = didYouMean(nameOf(first), ['--help', '--version']);
    throw new UsageError(`There is no option ${nameOf(first)} here.${meant} ${thereAre(COMMANDS)}`);
  }
  const rest = args.slice(first === '' ? 0 : 1);
  if (isGroup(first) && rest.some(isHelp)) return { kind: 'help', about: findAbout(args) };
  return parseOptions(findCommand(args), args);
}

function isGroup(word: string): boolean {
  return COMMANDS.some(({ name }) => name.startsWith(`${word} `));
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** The command of that name, or those of that group. */
function findAbout(words: readonly string[]): readonly Command[] {
  const [first, second = ''] = words;
  if (first === undefined || isHelp(first)) return [];
  const exact = COMMANDS.filter(({ name }) => name === first || name === `${first} ${second}`);
  if (exact.length > 0) return exact;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === '' || second.startsWith('-'))) return group;
  return [findCommand(words)];
}

/** @throws UsageError that says which commands there are */
function findCommand(words: readonly string[]): Command {
  const [first = '', second = ''] = words;
  const found = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found) return found;
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  const wrong = JSON.stringify(first);
  if (group.length === 0) {
    throw new UsageError(
      `There is no command ${wrong}.${meantBy(first, second)} ${thereAre(COMMANDS)}`,
    );
  }
  const meant = didYouMean(
    `${first} ${second}`,
    group.map(({ name }) => name),
  );
  throw new UsageError(`${wrong} is not a whole command.${meant} ${thereAre(group)}`);
}

/** Both words as one command; or else the first, which may be a group. */
function meantBy(first: string, second: string): string {
  const names = COMMANDS.map(({ name }) => name);
  const groups = names.map((name) => name.split(' ')[0] ?? name);
  const whole = second === '' || second.startsWith('-') ? '' : `${first} ${second}`;
  return didYouMean(whole, names) || didYouMean(first, [...names, ...groups, 'help']);
}

/** Of all of them, the first words: whoever wants more asks for help. */
function thereAre(commands: readonly Command[]): string {
  const names = commands.map(({ name }) =>
    commands === COMMANDS ? (name.split(' ')[0] ?? name) : name,
  );
  return `There are: ${[...new Set(names)].join(', ')}.`;
}

function parseOptions(command: Command, args: readonly string[]): Asked {
  const own = args.slice(command.name.split(' ').length);
  const { tokens } = parseArgs({
    args: own,
    options: parserOptions(command),
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const values = new Map<string, string[]>();
  const given: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') given.push(token.value);
    if (token.kind !== 'option') continue;
    if (isHelp(token.rawName)) return { kind: 'help', about: [command] };
    const text = valueOf(command, token);
    values.set(token.name, [...(values.get(token.name) ?? []), text]);
  }
  requireComplete(command, values);
  requireArguments(command, given);
  return {
    kind: 'command',
    command,
    options: new GivenOptions(values, given),
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
  const known = Object.hasOwn(command.options, name) || isSwitch;
  if (!known || !option || !rawName.startsWith('--')) {
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

/** An option without what may be its value. */
function nameOf(text: string): string {
  return text.split('=')[0] ?? '';
}

function optionsOf(command: Command): string {
  return `There are: ${optionNames(command).join(', ')}.`;
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

/** What stands there is not repeated: it may be a secret. */
function requireArguments(command: Command, given: readonly string[]): void {
  const takes = command.kind === 'remote' ? command.takes : [];
  if (given.length === takes.length && given.every(isId)) return;
  if (takes.length === 0) {
    throw new UsageError(`"${command.name}" takes nothing but options. ${optionsOf(command)}`);
  }
  const at = given.length < takes.length ? given.length : given.findIndex((text) => !isId(text));
  const missing = takes[at];
  const wrong = missing === undefined ? 'takes nothing else' : `needs ${missing}`;
  throw new UsageError(`"${command.name}" ${wrong}: keywright ${command.name} ${takes.join(' ')}`);
}

/** Whether it can stand in a path. */
function isId(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && text.length <= MOST_OF_ID;
}
