import { type Command, hasJson } from './command.ts';
import { COMMANDS } from './commands.ts';
import { columns, indented } from './layout.ts';

const WIDTH = 96;

const LOCAL =
  'Local commands work on the database that the environment selects: KEYWRIGHT_DATABASE_URL, or the ' +
  'embedded database in KEYWRIGHT_DATA_DIR';
const REMOTE =
  'Remote commands call the API of a service: that of a profile ("keywright login"), or KEYWRIGHT_URL ' +
  'with KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY';

export function overview(): string {
  const isLocal = ({ kind }: Command) => kind === 'operation' || kind === 'service';
  const isRemote = ({ kind }: Command) => kind === 'remote';
  const isPrinter = ({ kind }: Command) => kind === 'printer';
  return [
    'Run and administer a Keywright installation, locally or over its API.',
    '',
    'Usage: keywright <command> [options]',
    '',
    ...section(LOCAL, rowsOf(isLocal)),
    ...section(REMOTE, rowsOf(isRemote)),
    ...section('Other commands', [...rowsOf(isPrinter), ...GENERAL]),
    'Exit codes',
    '',
    indented(columns(EXIT_CODES)),
  ].join('\n');
}

function rowsOf(isIncluded: (command: Command) => boolean): string[][] {
  return COMMANDS.filter(isIncluded).map(({ name, summary }) => [name, summary]);
}

function section(head: string, rows: readonly (readonly string[])[]): string[] {
  return [wrap(head), '', indented(columns(rows, 3)), ''];
}

const GENERAL: readonly (readonly string[])[] = [
  ['help [command]', 'show this overview, or the help of a command'],
  ['--version', 'print the version'],
];

const EXIT_CODES: readonly (readonly string[])[] = [
  ['0', 'success'],
  ['1', 'failure; the message says why'],
  ['2', 'usage error: nothing was attempted'],
  ['3', 'doctor or audit verify reported findings'],
  ['4', 'the database or the service is unreachable, or the embedded database is in use'],
];

/** Returns the help of one command, or of every command in a group. */
export function helpFor(commands: readonly Command[]): string {
  return commands.map(helpForCommand).join('\n\n');
}

function helpForCommand(command: Command): string {
  const { name, summary, details, options, examples } = command;
  const takes = command.kind === 'remote' ? command.takes : [];
  const rows = Object.entries(options).map(
    ([option, { value, help, isRequired, isRepeatable }]) => [
      `--${option}${value === undefined ? '' : ` ${value}`}`,
      `${help}${isRequired ? ' (required)' : ''}${isRepeatable ? ' (repeatable)' : ''}`,
    ],
  );
  if (hasJson(command)) rows.push(['--json', 'print JSON']);
  rows.push(['--help', 'show this help']);
  return [
    `keywright ${[name, ...takes].join(' ')}: ${summary}`,
    '',
    indented(wrap(details)),
    '',
    indented(columns(rows, 3)),
    '',
    examples.length === 1 ? 'Example' : 'Examples',
    '',
    indented(examples.join('\n')),
  ].join('\n');
}

/** Wraps the text between words. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
