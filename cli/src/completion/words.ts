// The words and options that the completion scripts offer.

import type { Command, Option } from '../command.ts';

export interface Word {
  readonly word: string;
  readonly summary: string;
}

interface First extends Word {
  /** Whether `help` accepts it. */
  readonly isCommand: boolean;
}

interface Shape {
  readonly first: readonly First[];
  /** Groups such as `tenant`, with the second words of their commands. */
  readonly groups: readonly { readonly name: string; readonly words: readonly Word[] }[];
}

/** The first and the second words of the commands. */
export function shapeOf(commands: readonly Command[]): Shape {
  const words = commands.map(({ name, summary }) => ({ parts: name.split(' '), summary }));
  const names = [...new Set(words.map(({ parts: [first = ''] }) => first))];
  const inGroup = (group: string) =>
    words.filter(({ parts: [first, second] }) => first === group && second !== undefined);
  const groups = names
    .map((name) => ({
      name,
      words: inGroup(name).map(({ parts: [, second = ''], summary }) => ({
        word: second,
        summary,
      })),
    }))
    .filter((group) => group.words.length > 0);
  const first = names.map((name) => ({
    word: name,
    summary: describe(name, words, groups),
    isCommand: true,
  }));
  const general = [
    { word: 'help', summary: 'show the help of a command', isCommand: false },
    { word: '--help', summary: 'list the commands', isCommand: false },
    { word: '--version', summary: 'print the version', isCommand: false },
  ];
  return { first: [...first, ...general], groups };
}

function describe(
  name: string,
  words: readonly { readonly parts: readonly string[]; readonly summary: string }[],
  groups: Shape['groups'],
): string {
  const group = groups.find((candidate) => candidate.name === name);
  if (group) return group.words.map(({ word }) => word).join(', ');
  return words.find(({ parts }) => parts[0] === name)?.summary ?? '';
}

/** The options of a command, with descriptions, which zsh and fish show. */
export function optionsOf({ kind, options }: Command): (readonly [name: string, option: Option])[] {
  return [
    ...Object.entries(options),
    ...(kind === 'operation' || kind === 'remote'
      ? [['json', { help: 'print JSON' }] as const]
      : []),
    ['help', { help: 'show the help of this command' }],
  ];
}

export function isFile({ value }: Option): boolean {
  return value === 'FILE';
}

/** Wraps the text in single quotes, where shells expand nothing; the text cannot close them. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", '\u{2019}').replaceAll('\\', '/')}'`;
}
