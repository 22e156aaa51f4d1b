import { type Command, type Option, optionNames } from '../command.ts';
import { isFile, shapeOf, type Word } from './words.ts';

export function bashScript(commands: readonly Command[]): string {
  return `# Completes keywright in bash.
_keywright() {
  local IFS=$' \\t\\n' choices='' file
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  # Bash splits --option=value into three words.
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

/** Returns the words that can follow each prefix. */
function groupCases(commands: readonly Command[]): string[] {
  const { first, groups } = shapeOf(commands);
  const names = first.filter(({ isCommand }) => isCommand);
  return [
    choicesFor("' '", first),
    choicesFor("'help '", names),
    ...groups.map(({ name, words }) => choicesFor(`'${name} ' | 'help ${name} '`, words)),
  ];
}

function choicesFor(pattern: string, words: readonly Word[]): string {
  return `    ${pattern}) choices='${words.map(({ word }) => word).join(' ')}' ;;`;
}

function commandCase(command: Command): string {
  const entries = Object.entries(command.options).filter(([, { value }]) => value !== undefined);
  const named = (isIncluded: (option: Option) => boolean) =>
    entries.filter(([, option]) => isIncluded(option)).map(([name]) => `--${name}`);
  const files = named(isFile);
  const free = named((option) => !isFile(option) && option.choices === undefined);
  return [
    `    '${command.name} '*)`,
    '      case "$previous" in',
    ...(files.length > 0 ? [`        ${files.join(' | ')}) ${COMPLETE_FILES} ;;`] : []),
    ...entries
      .filter(([, { choices }]) => choices !== undefined)
      .map(([name, { choices = [] }]) => `        --${name}) choices='${choices.join(' ')}' ;;`),
    ...(free.length > 0 ? [`        ${free.join(' | ')}) return ;;`] : []),
    `        *) choices='${optionNames(command).join(' ')}' ;;`,
    '      esac',
    '      ;;',
  ].join('\n');
}

/** Reads line by line, because a file name can contain spaces. */
const COMPLETE_FILES =
  'compopt -o filenames 2> /dev/null; while IFS= read -r file; do COMPREPLY+=("$file"); done ' +
  '< <(compgen -f -- "$current"); return';
