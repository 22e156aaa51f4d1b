// What may stand in a command line, for the scripts that complete it.

import type { Command, Option } from '../command.ts';

export interface Word {
  readonly word: string;
  readonly says: string;
}

interface First extends Word {
  /** Whether help can be asked about it. */
  readonly isCommand: boolean;
}

interface Shape {
  readonly first: readonly First[];
  /** The first words that are no whole command, with those that follow. */
  readonly groups: readonly { readonly name: string; readonly words: readonly Word[] }[];
}

/** The first and the second words of the commands. */
export function shapeOf(commands: readonly Command[]): Shape {
  const words = commands.map(({ name, summary }) => ({ parts: name.split(' '), says: summary }));
  const names = [...new Set(words.map(({ parts: [first = ''] }) => first))];
  const own = (group: string) =>
    words.filter(({ parts: [first, second] }) => first === group && second !== undefined);
  const groups = names
    .map((name) => ({
      name,
      words: own(name).map(({ parts: [, second = ''], says }) => ({ word: second, says })),
    }))
    .filter((group) => group.words.length > 0);
  const first = names.map((name) => ({
    word: name,
    says: saysOf(name, words, groups),
    isCommand: true,
  }));
  const general = [
    { word: 'help', says: 'tells everything about a command', isCommand: false },
    { word: '--help', says: 'tells which commands there are', isCommand: false },
    { word: '--version', says: 'tells the version', isCommand: false },
  ];
  return { first: [...first, ...general], groups };
}

function saysOf(
  name: string,
  words: readonly { readonly parts: readonly string[]; readonly says: string }[],
  groups: Shape['groups'],
): string {
  const group = groups.find((one) => one.name === name);
  if (group) return group.words.map(({ word }) => word).join(', ');
  return words.find(({ parts }) => parts[0] === name)?.says ?? '';
}

/** The options of a command that zsh and fish show with what they mean. */
export function optionsOf({ kind, options }: Command): (readonly [name: string, option: Option])[] {
  return [
    ...Object.entries(options),
    ...(kind === 'operation' || kind === 'remote'
      ? [['json', { help: 'answers one JSON object' }] as const]
      : []),
    ['help', { help: 'tells everything about the command' }],
  ];
}

export function isFile({ value }: Option): boolean {
  return value === 'FILE';
}

/** In single quotes, which every shell takes as they are: nothing in it is run, and nothing ends it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", '\u{2019}').replaceAll('\\', '/')}'`;
}
