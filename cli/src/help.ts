import { type Command, hasJson } from './command.ts';
import { COMMANDS } from './commands.ts';
import { columns, indented } from './layout.ts';

const WIDTH = 96;

const LOCAL =
  'On the database that the environment names: KEYWRIGHT_DATABASE_URL, or the embedded database in ' +
  'KEYWRIGHT_DATA_DIR';
const REMOTE =
  'On a service, over its API: the one of a profile ("keywright login"), or of KEYWRIGHT_URL with ' +
  'KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY';

/** What there is. */
export function overview(): string {
  const isLocal = ({ kind }: Command) => kind === 'operation' || kind === 'service';
  const isRemote = ({ kind }: Command) => kind === 'remote';
  const isPrinter = ({ kind }: Command) => kind === 'printer';
  return [
    'keywright runs a Keywright installation, looks after it, and works on one over the network.',
    '',
    'Usage: keywright <command> [options]',
    '',
    ...section(LOCAL, rowsOf(isLocal)),
    ...section(REMOTE, rowsOf(isRemote)),
    ...section('Anywhere', [...rowsOf(isPrinter), ...GENERAL]),
    'Exit codes',
    '',
    indented(columns(EXIT_CODES)),
  ].join('\n');
}

function rowsOf(isOfKind: (command: Command) => boolean): string[][] {
  return COMMANDS.filter(isOfKind).map(({ name, summary }) => [name, summary]);
}

function section(head: string, rows: readonly (readonly string[])[]): string[] {
  return [folded(head), '', indented(columns(rows, 3)), ''];
}

const GENERAL: readonly (readonly string[])[] = [
  ['help [command]', 'tells this, or everything about a command'],
  ['--version', 'tells the version'],
];

const EXIT_CODES: readonly (readonly string[])[] = [
  ['0', 'done'],
  ['1', 'failed; the message says why'],
  ['2', 'wrong usage: nothing was tried'],
  ['3', 'doctor or audit verify found something'],
  ['4', 'the database or the service cannot be reached, or an embedded database is in use'],
];

/** Everything about one command, or about each of a group. */
export function helpFor(commands: readonly Command[]): string {
  return commands.map(helpForOne).join('\n\n');
}

function helpForOne(command: Command): string {
  const { name, summary, details, options, examples } = command;
  const takes = command.kind === 'remote' ? command.takes : [];
  const rows = Object.entries(options).map(
    ([option, { value, help, isRequired, isRepeatable }]) => [
      `--${option}${value === undefined ? '' : ` ${value}`}`,
      `${help}${isRequired ? ' (needed)' : ''}${isRepeatable ? ' (as often as needed)' : ''}`,
    ],
  );
  if (hasJson(command)) rows.push(['--json', 'answers one JSON object']);
  rows.push(['--help', 'tells this']);
  return [
    `keywright ${[name, ...takes].join(' ')}: ${summary}`,
    '',
    indented(folded(details)),
    '',
    indented(columns(rows, 3)),
    '',
    examples.length === 1 ? 'Example' : 'Examples',
    '',
    indented(examples.join('\n')),
  ].join('\n');
}

/** Broken into lines between words. */
function folded(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
