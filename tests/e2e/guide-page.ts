import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export interface Block {
  /** The number of its section; 0 before the first. */
  readonly section: number;
  /** The text of its section's heading, without the number; empty before the first. */
  readonly heading: string;
  /** The file named at the end of the preceding line, if any. */
  readonly file: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a page, in order. The path is relative to the guide's folder. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');
  let section = 0;
  let heading = '';
  const blocks: Block[] = [];
  for (const [, number, title, file, language, code] of text.matchAll(
    /^## (?:(\d+)\. )?(.*)$|(?:`([^`\n]+)`:\n\n)?^```(\w+)\n([^]*?)^```$/gm,
  )) {
    if (number !== undefined) section = Number(number);
    if (title !== undefined) heading = title;
    if (language !== undefined) blocks.push({ section, heading, file, language, text: code ?? '' });
  }
  return blocks;
}

/** Returns commands that export these values for the variables that the block lets readers choose. */
export function choicesIn(
  block: Block | undefined,
  values: Readonly<Record<string, string>>,
): string {
  const chosen = [...(block?.text ?? '').matchAll(/\b([A-Z_]+)=/g)].map(([, name = '']) => name);
  assert.deepEqual(chosen, Object.keys(values), 'what the block has the reader choose');
  return chosen.map((name) => `export ${name}='${values[name]}'`).join('\n');
}
