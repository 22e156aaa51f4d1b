import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { columns, indented } from './layout.ts';

const WIDTH = 96;

/** What there is. */
export function overview(): string {
  return [
    'keywright runs a Keywright installation and looks after it.',
    '',
    'Usage: keywright <command> [options]',
    '',
    indented(columns([...COMMANDS.map(({ name, summary }) => [name, summary]), ...GENERAL], 3)),
    '',
    folded(
      'The commands work on the database that the environment names: KEYWRIGHT_DATABASE_URL, or the ' +
        'embedded database in KEYWRIGHT_DATA_DIR.',
    ),
    '',
    'Exit codes',
    '',
    indented(columns(EXIT_CODES)),
  ].join('\n');
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
  ['4', 'the database cannot be reached, or an embedded one is in use'],
];

/** Everything about one command, or about each of a group. */
export function helpFor(commands: readonly Command[]): string {
  return commands.map(helpForOne).join('\n\n');
}

function helpForOne({ kind, name, summary, details, options, examples }: Command): string {
  const rows = Object.entries(options).map(
    ([option, { value, help, isRequired, isRepeatable }]) => [
      `--${option}${value === undefined ? '' : ` ${value}`}`,
      `${help}${isRequired ? ' (needed)' : ''}${isRepeatable ? ' (as often as needed)' : ''}`,
    ],
  );
  if (kind === 'operation') rows.push(['--json', 'answers one JSON object']);
  rows.push(['--help', 'tells this']);
  return [
    `keywright ${name}: ${summary}`,
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
