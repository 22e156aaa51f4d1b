import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

export interface Block {
  /** The number of its section; 0 before the first. */
  readonly section: number;
  /** The file named at the end of the preceding line, if any. */
  readonly file: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a page, in order. The path is relative to the guide's folder. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(new URL(`../../docs/guide/${page}`, import.meta.url), 'utf8');
  let section = 0;
  const blocks: Block[] = [];
  for (const [, number, file, language, code] of text.matchAll(
    /^## (?:(\d+)\. )?.*$|(?:`([^`\n]+)`:\n\n)?^```(\w+)\n([^]*?)^```$/gm,
  )) {
    if (number !== undefined) section = Number(number);
    if (language !== undefined) blocks.push({ section, file, language, text: code ?? '' });
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
