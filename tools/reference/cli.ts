import { type Command, hasJson, type Option } from '../../cli/src/command.ts';
import { COMMANDS } from '../../cli/src/commands.ts';
import { EXIT_CODES, LOCAL, REMOTE, sectionOf } from '../../cli/src/help.ts';
import { REMOTE_VARIABLES } from '../../cli/src/remote/environment.ts';
import { TARGET_OPTIONS } from '../../cli/src/remote/target.ts';
import { capitalized, code, page, table } from './markdown.ts';

/** More choices than this are listed elsewhere. */
const MAX_CHOICES = 12;

/** The page of each command, below docs/reference. */
const PAGES = {
  local: { file: 'cli/local.md', title: 'Local commands' },
  remote: { file: 'cli/remote.md', title: 'Remote commands' },
  other: { file: 'cli/other.md', title: 'Other commands' },
} as const;

/** Returns the pages of the command line, by path from the root. */
export function cliPages(): ReadonlyMap<string, string> {
  const sections = Object.groupBy(COMMANDS, sectionOf);
  return new Map([
    ['docs/reference/cli.md', indexPage()],
    ...Object.entries(PAGES).map(
      ([section, { file, title }]) =>
        [
          `docs/reference/${file}`,
          page(title, (sections[section as keyof typeof PAGES] ?? []).flatMap(describe)),
        ] as const,
    ),
  ]);
}

/** Returns the page with all commands, the exit codes, the environment variables and the common options. */
function indexPage(): string {
  const withoutJson = COMMANDS.filter((command) => !hasJson(command)).map(({ name }) => code(name));
  return page('Command line', [
    'The [guide](../guide/command-line.md) shows how to use the commands. `keywright help` lists them, and `keywright help <command>` describes one.',
    table(
      ['Command', 'What it does'],
      COMMANDS.map((command) => [
        `[${code(command.name)}](${PAGES[sectionOf(command)].file}#keywright-${anchorOf(command.name)})`,
        prose(command.summary),
      ]),
    ),
    '## Exit codes',
    table(
      ['Code', 'Meaning'],
      EXIT_CODES.map(([exit, meaning]) => [exit, prose(meaning)]),
    ),
    '## Environment variables',
    `${prose(LOCAL)}. They read the [variables of the service](environment.md).`,
    `${prose(REMOTE)}.`,
    table(
      ['Variable', 'Meaning'],
      Object.entries(REMOTE_VARIABLES).map(([name, meaning]) => [code(name), meaning]),
    ),
    '`XDG_CONFIG_HOME`, or else `HOME`, determines the folder of the profiles: `$XDG_CONFIG_HOME/keywright`, or `~/.config/keywright`.',
    '## Common options',
    table(
      ['Option', 'Meaning'],
      [
        ['`--help`', 'show the help of the command'],
        ['`--json`', `print JSON; not for ${withoutJson.join(', ')}`],
        ['`--version`', 'print the version; without a command'],
      ],
    ),
    'Most remote commands also have these options:',
    optionTable(TARGET_OPTIONS),
  ]);
}

function anchorOf(name: string): string {
  return name.replaceAll(' ', '-');
}

function describe(command: Command): string[] {
  const { name, summary, details, examples } = command;
  const takes = command.kind === 'remote' ? command.takes : [];
  const specific = Object.entries<Option>(command.options).filter(
    ([option, { help }]) =>
      new Map<string, Option>(Object.entries(TARGET_OPTIONS)).get(option)?.help !== help,
  );
  return [
    `## ${code(`keywright ${name}`)}`,
    ...(takes.length === 0 ? [] : [`Arguments: ${takes.map(code).join(' ')}`]),
    `${prose(capitalized(summary))}. ${prose(details)}`,
    ...(specific.length === 0 ? [] : [optionTable(Object.fromEntries(specific))]),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ];
}

function optionTable(options: Readonly<Record<string, Option>>): string {
  return table(
    ['Option', 'Meaning'],
    Object.entries(options).map(([name, { value, help, choices, isRequired, isRepeatable }]) => [
      code(`--${name}${value === undefined ? '' : ` ${value}`}`),
      [
        prose(help),
        ...(choices && !help.includes(choices.join(', ')) ? [choicesText(choices)] : []),
        ...(isRequired ? ['**required**'] : []),
        ...(isRepeatable ? ['repeatable'] : []),
      ].join('; '),
    ]),
  );
}

function choicesText(choices: readonly string[]): string {
  if (choices.length <= MAX_CHOICES) return `one of ${choices.map(code).join(', ')}`;
  if (!choices.includes('user.created')) throw new Error('Link to a page that lists the choices.');
  return 'see [Events](../events.md)';
}

/** Marks placeholders and variables, which are plain text in a terminal. */
function prose(text: string): string {
  return text.replaceAll(/<[a-z_]+>|KEYWRIGHT_[A-Z_]+|--[a-z][a-z-]+/g, code);
}
