import type { Command, Option } from '../command.ts';
import { isFile, optionsOf, quoted, shapeOf, type Word } from './words.ts';

export function zshScript(commands: readonly Command[]): string {
  const { first, groups } = shapeOf(commands);
  const cases = [
    `    ' ') choices=(${describe(first)}) ;;`,
    `    'help ') choices=(${describe(first.filter(({ isCommand }) => isCommand))}) ;;`,
    ...groups.map(
      ({ name, words }) => `    '${name} ' | 'help ${name} ') choices=(${describe(words)}) ;;`,
    ),
    ...commands.map(commandCase),
  ];
  return `#compdef keywright
# Completes keywright in zsh.
_keywright() {
  local -a choices
  local line="\${(j: :)words[2,CURRENT - 1]}" previous="\${words[CURRENT - 1]}"
  if [[ $PREFIX == --*=* ]]; then
    previous="\${PREFIX%%=*}"
    compset -P 1 '*='
  fi
  case "$line " in
${cases.join('\n')}
  esac
  _describe 'keywright' choices
}
if [[ $funcstack[1] == _keywright ]]; then _keywright "$@"; else compdef _keywright keywright; fi`;
}

function commandCase(command: Command): string {
  const valued = Object.entries(command.options).filter(([, { value }]) => value !== undefined);
  const words = optionsOf(command).map(([name, { help }]) => ({
    word: `--${name}`,
    summary: help,
  }));
  return [
    `    '${command.name} '*)`,
    '      case "$previous" in',
    ...valued.map(([name, option]) => `        --${name}) ${valueOf(option)} ;;`),
    `        *) choices=(${describe(words)}) ;;`,
    '      esac',
    '      ;;',
  ].join('\n');
}

function valueOf(option: Option): string {
  if (isFile(option)) return '_files; return';
  return option.choices === undefined
    ? 'return'
    : `choices=(${option.choices.map(quoted).join(' ')})`;
}

/** zsh expects a colon between a word and its summary. */
function describe(words: readonly Word[]): string {
  return words.map(({ word, summary }) => quoted(`${word}:${summary}`)).join(' ');
}
