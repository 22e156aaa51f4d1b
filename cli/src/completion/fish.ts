import type { Command, Option } from '../command.ts';
import { isFile, optionsOf, quoted, shapeOf, type Word } from './words.ts';

export function fishScript(commands: readonly Command[]): string {
  const { first, groups } = shapeOf(commands);
  const names = first.filter(({ isCommand }) => isCommand);
  return `# Completes keywright in fish.
function __keywright_at --description 'whether the line has exactly these words'
    set --local words (commandline -opc)
    set --erase words[1]
    test "$words" = "$argv"
end
function __keywright_in --description 'whether the line starts with these words'
    set --local words (commandline -opc)
    set --erase words[1]
    string match --quiet -- "$argv *" "$words "
end
complete -c keywright -f
${[
  ...wordsAt('', first),
  ...wordsAt('help', names),
  ...groups.flatMap(({ name, words }) =>
    [name, `help ${name}`].flatMap((place) => wordsAt(place, words)),
  ),
  ...commands.flatMap(optionLines),
].join('\n')}`;
}

function wordsAt(place: string, words: readonly Word[]): string[] {
  return words.map(
    ({ word, summary }) =>
      `${line(`__keywright_at ${place}`.trim())} -a ${quoted(word)} -d ${quoted(summary)}`,
  );
}

function optionLines(command: Command): string[] {
  return optionsOf(command).map(
    ([name, option]) =>
      `${line(`__keywright_in ${command.name}`)} -l ${name}${valueOf(option)} -d ${quoted(option.help)}`,
  );
}

/** How fish completes the value: none, a file, any value, or one of the choices. */
function valueOf(option: Option): string {
  if (option.value === undefined) return '';
  if (isFile(option)) return ' -r -F';
  return option.choices === undefined ? ' -x' : ` -x -a ${quoted(option.choices.join(' '))}`;
}

function line(condition: string): string {
  return `complete -c keywright -n ${quoted(condition)}`;
}
