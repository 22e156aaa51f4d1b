// Phrases that make English read as translated, counted in documents, in strings and in comments.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { isGenerated, isPatternFile } from './patterns.ts';
import { type Phrase, PHRASES, SCREEN_PHRASES } from './phrases.ts';
import { isSource, isTest, lineAt, listFiles } from './source-files.ts';

/** The recorded rates above the limits of the phrases, which can only fall; `npm run generate` lowers them. */
export const WORD_RATES_FILE = 'tools/check/word-rates.json';

/** A kind of text, with the files that contain it. */
interface Corpus {
  readonly name: string;
  readonly phrases?: readonly Phrase[];
  readonly texts: (root: string) => readonly TextOfFile[];
}

interface TextOfFile {
  readonly path: string;
  /** The prose, with everything else blanked, so that the lines are those of the file. */
  readonly text: string;
}

const USER_DOCUMENTATION = 'user documentation';

const USER_DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'examples/**/README.md',
  'docs/{start,guide,concepts,tutorials,frameworks,migrate,errors}/**/*.md',
  'docs/{index,troubleshooting,glossary,comparison}.md',
];
const PROJECT_DOCUMENTS = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'docs/*.md',
  'docs/{adr,contributing,decisions,performance}/**/*.md',
  '{bench,tests,cli,contract,server,sdk,ui,site}/**/*.md',
  '.github/**/*.md',
];

const ALL_PHRASES = [...PHRASES, ...SCREEN_PHRASES];
/** Native on screens: "Stay signed in", and hints such as "Where people go after they sign out". */
const NATIVE_ON_SCREENS = new Set(['stays', 'where, for if', 'clause as subject']);

const CORPORA: readonly Corpus[] = [
  screen('texts of the console', 'ui/console/src/texts/en/*.json'),
  screen('texts of pages and messages', 'server/src/platform/texts/en/*.json'),
  { name: USER_DOCUMENTATION, texts: (root) => documents(root, USER_DOCUMENTS) },
  { name: 'references', texts: (root) => documents(root, ['docs/reference/**/*.md']) },
  {
    name: 'project documents',
    texts: (root) => documents(root, PROJECT_DOCUMENTS, USER_DOCUMENTS),
  },
  { name: 'strings of the contract', texts: (root) => code(root, /^contract\/src\//, 'strings') },
  { name: 'messages', texts: (root) => code(root, /^(server|cli|sdk)\/src\//, 'strings') },
  { name: 'comments', texts: (root) => code(root, /^(?!examples\/)/, 'comments') },
];

/** Texts that people see, of a catalog in English. */
function screen(name: string, pattern: string): Corpus {
  return {
    name,
    phrases: ALL_PHRASES.filter((phrase) => !NATIVE_ON_SCREENS.has(phrase.name)),
    texts: (root) =>
      globSync(pattern, { cwd: root })
        .toSorted()
        .map((path) => ({ path, text: valuesOf(readFileSync(join(root, path), 'utf8')) })),
  };
}

/** A catalog with its keys blanked. */
function valuesOf(json: string): string {
  return json.replace(/^\s*"[^"]+": /gm, blank);
}

function documents(
  root: string,
  patterns: readonly string[],
  without: readonly string[] = [],
): TextOfFile[] {
  const exclude = ['**/node_modules/**', '**/dist/**', ...without];
  return globSync(patterns, { cwd: root, exclude })
    .toSorted()
    .map((path) => ({ path, text: proseOf(readFileSync(join(root, path), 'utf8')) }));
}

const NOT_PROSE = [
  /^---\n[\s\S]*?\n---\n/,
  /^ *```[\s\S]*?^ *```/gm,
  /<!--[\s\S]*?-->/g,
  /<[^>]+>/g,
  /`[^`]*`/g,
  /\]\([^)\s]*\)/g,
];

/** A document with code, markup, link targets and front matter blanked. */
export function proseOf(markdown: string): string {
  return NOT_PROSE.reduce((text, pattern) => text.replace(pattern, blank), markdown);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

function code(root: string, folder: RegExp, part: 'strings' | 'comments'): TextOfFile[] {
  return listFiles(root)
    .filter((path) => isSource(path) && folder.test(path) && !isPatternFile(path))
    .filter((path) => part === 'comments' || !isTest(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter((file) => !isGenerated(file))
    .map(({ path, text }) => ({ path, text: partOf(path, text, part) }));
}

/** The comments of a file, or its strings that are sentences: those with a space. Everything else is blanked. */
function partOf(path: string, text: string, part: 'strings' | 'comments'): string {
  const { program, comments } = parseSync(path, text);
  const found: { readonly start: number; readonly end: number }[] = [];
  if (part === 'comments') found.push(...comments);
  else {
    const add = ({ start, end }: { readonly start: number; readonly end: number }) => {
      if (text.slice(start, end).includes(' ')) found.push({ start, end });
    };
    new Visitor({
      Literal: (node) => (typeof node.value === 'string' ? add(node) : undefined),
      TemplateElement: add,
    }).visit(program);
  }
  let blanked = '';
  let at = 0;
  for (const { start, end } of found.toSorted((a, b) => a.start - b.start)) {
    blanked += blank(text.slice(at, start)) + text.slice(start, end);
    at = end;
  }
  return (blanked + blank(text.slice(at))).replace(/`[^`\n]*`/g, blank);
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface Measured {
  readonly corpus: string;
  readonly words: number;
  readonly hits: ReadonlyMap<Phrase, readonly Hit[]>;
}

function measure(root: string): Measured[] {
  return CORPORA.map(({ name, texts, phrases = PHRASES }) => {
    const files = texts(root);
    const words = files.reduce((sum, { text }) => sum + wordsIn(text), 0);
    const hits = new Map(
      phrases.map((phrase) => [phrase, files.flatMap((file) => hitsIn(file, phrase))]),
    );
    return { corpus: name, words, hits };
  });
}

function wordsIn(text: string): number {
  return text.match(/\p{L}[\p{L}'’-]*/gu)?.length ?? 0;
}

function hitsIn({ path, text }: TextOfFile, { pattern }: Phrase): Hit[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: lineAt(text, match.index),
    text: match[0].trim(),
  }));
}

/** Occurrences per 10,000 words, with one decimal. */
function rateOf(count: number, words: number): number {
  return words === 0 ? 0 : Math.round((count / words) * 100_000) / 10;
}

/** Rates above the limits of the phrases, by corpus and phrase. */
type Rates = Readonly<Record<string, Readonly<Record<string, number>>>>;

function readRates(root: string): Rates {
  return JSON.parse(readFileSync(join(root, WORD_RATES_FILE), 'utf8')) as Rates;
}

/** Phrases that are more frequent than their limit, or than recorded for this kind of text. */
export function findWordProblems(root: string): string[] {
  const recorded = readRates(root);
  return measure(root).flatMap(({ corpus, words, hits }) =>
    [...hits].flatMap(([phrase, found]) => {
      const most = Math.max(phrase.limit, recorded[corpus]?.[phrase.name] ?? 0);
      const rate = rateOf(found.length, words);
      if (rate <= most) return [];
      const places = found
        .slice(0, 10)
        .map(({ path, line, text }) => `\n  ${path}:${line}: ${text}`);
      const head = `${corpus}: "${phrase.name}" ${rate} times per 10,000 words, at most ${most}; write: ${phrase.fix}`;
      return [head + places.join('')];
    }),
  );
}

/** The recorded rates, lowered to those of the texts now. */
export function loweredRates(root: string): string {
  const recorded = readRates(root);
  const lowered = measure(root).map(({ corpus, words, hits }) => {
    const rates = [...hits].flatMap(([{ name, limit }, found]) => {
      const rate = Math.min(rateOf(found.length, words), recorded[corpus]?.[name] ?? 0);
      return rate > limit ? [[name, rate] as const] : [];
    });
    return [corpus, Object.fromEntries(rates)] as const;
  });
  return `${JSON.stringify(Object.fromEntries(lowered), undefined, 2)}\n`;
}

/** Lines of a table: each phrase with its rate per 10,000 words in each kind of text. */
export function wordTable(root: string): string[] {
  const measured = measure(root);
  const width = 24;
  const row = (cells: readonly string[]) =>
    cells
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd();
  return [
    row(['per 10,000 words', ...measured.map(({ corpus }) => corpus)]),
    row(['words', ...measured.map(({ words }) => String(words))]),
    ...ALL_PHRASES.map((phrase) =>
      row([
        phrase.name,
        ...measured.map(({ words, hits }) => {
          const count = hits.get(phrase)?.length;
          if (count === undefined) return '–';
          return `${rateOf(count, words).toFixed(1)} (${count})`;
        }),
      ]),
    ),
  ];
}

/** Every occurrence of the phrases in files that are checked, as `path:line: text → what to write`. */
export function wordsInFiles(root: string, paths: readonly string[]): string[] {
  return CORPORA.flatMap(({ texts, phrases = PHRASES }) =>
    texts(root)
      .filter(({ path }) => paths.some((start) => path.startsWith(start)))
      .flatMap((file) =>
        phrases.flatMap((phrase) =>
          hitsIn(file, phrase).map(
            ({ path, line, text }) => `${path}:${line}: ${text} → ${phrase.fix}`,
          ),
        ),
      ),
  );
}
