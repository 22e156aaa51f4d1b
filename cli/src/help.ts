import { type Command, EXIT, hasJson } from './command.ts';
import { COMMANDS } from './commands.ts';
import { columns, indented } from './layout.ts';

const WIDTH = 96;

export const LOCAL =
  'Local commands work on the database that the environment selects: KEYWRIGHT_DATABASE_URL, or the ' +
  'embedded database in KEYWRIGHT_DATA_DIR';
export const REMOTE =
  'Remote commands call the API of a service: the one in a profile ("keywright login"), or KEYWRIGHT_URL ' +
  'with KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY';

export function overview(): string {
  return [
    'Run and administer a Keywright installation, locally or over its API.',
    '',
    'Usage: keywright <command> [options]',
    '',
    ...section(LOCAL, rowsOf('local')),
    ...section(REMOTE, rowsOf('remote')),
    ...section('Other commands', [...rowsOf('other'), ...GENERAL]),
    'Exit codes',
    '',
    indented(columns(EXIT_CODES.map(([code, meaning]) => [String(code), meaning]))),
  ].join('\n');
}

/** The section of the overview that a command belongs to. */
export function sectionOf(command: Command): 'local' | 'remote' | 'other' {
  if (command.kind === 'remote') return command.isOffline ? 'other' : 'remote';
  return command.kind === 'printer' ? 'other' : 'local';
}

function rowsOf(part: ReturnType<typeof sectionOf>): string[][] {
  return COMMANDS.filter((command) => sectionOf(command) === part).map(({ name, summary }) => [
    name,
    summary,
  ]);
}

function section(head: string, rows: readonly (readonly string[])[]): string[] {
  return [wrap(head), '', indented(columns(rows, 3)), ''];
}

const GENERAL: readonly (readonly string[])[] = [
  ['help [command]', 'show this overview, or the help of a command'],
  ['--version', 'print the version'],
];

export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, 'success'],
  [EXIT.failed, 'failure; the message gives the reason'],
  [EXIT.usage, 'usage error: nothing was attempted'],
  [
    EXIT.findings,
    'doctor or audit verify found problems, or user import could not import some users',
  ],
  [
    EXIT.unavailable,
    'the database or the service is unreachable, or the embedded database is in use',
  ],
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
