import { type Command, optionNames, type Printer } from '../command.ts';

export const completionBash: Printer = {
  kind: 'printer',
  name: 'completion bash',
  summary: 'prints a script that completes commands and options in bash',
  details:
    'Put the second example into ~/.bashrc, or the script into the folder of your completions. It ' +
    'completes the program that is called keywright.',
  options: {},
  examples: ['keywright completion bash > keywright.bash', 'eval "$(keywright completion bash)"'],
  text: bashScript,
};

/** What may follow, by the words that are there. */
function bashScript(commands: readonly Command[]): string {
  return `# Completes keywright in bash.
_keywright() {
  local IFS=$' \\t\\n' choices='' file
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  # Bash takes --option=value for three words.
  [[ $current == '=' ]] && current=''
  [[ $previous == '=' ]] && previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  COMPREPLY=()
  case "\${COMP_WORDS[*]:1:COMP_CWORD - 1} " in
${[...groupCases(commands), ...commands.map(commandCase)].join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -F _keywright keywright`;
}

function groupCases(commands: readonly Command[]): string[] {
  const names = commands.map(({ name }) => name);
  const first = [...new Set(names.map((name) => name.split(' ')[0] ?? name))];
  const groups = first.filter((word) => !names.includes(word));
  return [
    choicesFor("' '", [...first, 'help', '--help', '--version']),
    choicesFor("'help '", first),
    ...groups.map((group) => {
      const own = names.filter((name) => name.startsWith(`${group} `));
      const words = own.map((name) => name.slice(group.length + 1));
      return choicesFor(`'${group} ' | 'help ${group} '`, words);
    }),
  ];
}

function choicesFor(pattern: string, choices: readonly string[]): string {
  return `    ${pattern}) choices='${choices.join(' ')}' ;;`;
}

function commandCase(command: Command): string {
  const valued = Object.entries(command.options).filter(([, { value }]) => value !== undefined);
  const files = valued.filter(([, { value }]) => value === 'FILE').map(([name]) => `--${name}`);
  const others = valued.filter(([, { value }]) => value !== 'FILE').map(([name]) => `--${name}`);
  return [
    `    '${command.name} '*)`,
    '      case "$previous" in',
    ...(files.length > 0 ? [`        ${files.join(' | ')}) ${COMPLETE_FILES} ;;`] : []),
    ...(others.length > 0 ? [`        ${others.join(' | ')}) return ;;`] : []),
    `        *) choices='${optionNames(command).join(' ')}' ;;`,
    '      esac',
    '      ;;',
  ].join('\n');
}

/** Line by line: a name may hold spaces. */
const COMPLETE_FILES =
  'compopt -o filenames 2> /dev/null; while IFS= read -r file; do COMPREPLY+=("$file"); done ' +
  '< <(compgen -f -- "$current"); return';
