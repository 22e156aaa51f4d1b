// Phrases that make English read as translated, counted in documents, in strings and in comments.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { isGenerated, isPatternFile } from './patterns.ts';
import { type Phrase, PHRASES, SCREEN_PHRASES } from './phrases.ts';
import { isSource, isTest, lineAt, listFiles } from './source-files.ts';

/** A kind of text, with the files that contain it. */
interface Corpus {
  readonly name: string;
  readonly phrases?: readonly Phrase[];
  /** Whether the limits of phrases for comments apply. */
  readonly isComments?: boolean;
  readonly texts: (root: string) => readonly TextOfFile[];
}

interface TextOfFile {
  readonly path: string;
  /** The prose, with everything else blanked, so that the lines are those of the file. */
  readonly text: string;
}

const USER_DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'examples/**/README.md',
  'docs/{start,guide,concepts,tutorials,frameworks,migrate,errors}/**/*.md',
  'docs/{index,troubleshooting,glossary,comparison}.md',
];
const PROJECT_DOCUMENTS = [
  '*.md',
  'docs/*.md',
  'docs/{adr,contributing,decisions,performance}/**/*.md',
  '{bench,tests,cli,contract,server,sdk,ui,site}/**/*.md',
  '.github/**/*.md',
];

const ALL_PHRASES = [...PHRASES, ...SCREEN_PHRASES];
/** Native on screens: "Stay signed in", and hints such as "Where people go after they sign out". */
const NATIVE_ON_SCREENS = ['stays', 'where, for if', 'clause as subject'];
/** Native below a heading or in an email, which consist of sentences: "We sent a code. It expires in 10 minutes." */
const NATIVE_ON_PAGES = ['It, as the first word'];

const CORPORA: readonly Corpus[] = [
  screen('texts of the console', 'ui/console/src/texts/en/*.json'),
  screen('texts of pages and messages', 'server/src/platform/texts/en/*.json', NATIVE_ON_PAGES),
  { name: 'user documentation', texts: (root) => documents(root, USER_DOCUMENTS) },
  { name: 'references', texts: (root) => documents(root, ['docs/reference/**/*.md']) },
  {
    name: 'project documents',
    texts: (root) => documents(root, PROJECT_DOCUMENTS, USER_DOCUMENTS),
  },
  { name: 'strings of the contract', texts: (root) => code(root, /^contract\/src\//, 'strings') },
  { name: 'messages', texts: (root) => code(root, /^(?!contract\/|site\/keywords)/, 'strings') },
  { name: 'configuration', texts: (root) => configuration(root) },
  {
    name: 'comments',
    isComments: true,
    texts: (root) => [...code(root, /^/, 'comments'), ...plainComments(root)],
  },
];

/** Texts that people see, of a catalog in English. */
function screen(name: string, pattern: string, native: readonly string[] = []): Corpus {
  const accepted = new Set([...NATIVE_ON_SCREENS, ...native]);
  return {
    name,
    phrases: ALL_PHRASES.filter((phrase) => !accepted.has(phrase.name)),
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

/** Files whose values and comments are both prose. */
const CONFIGURATION = [
  '.github/**/*.{yaml,yml}',
  '*.{yaml,yml}',
  '.ci/*',
  'deploy/**/*',
  'Dockerfile',
];

function configuration(root: string): TextOfFile[] {
  return globSync(CONFIGURATION, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function code(root: string, folder: RegExp, part: 'strings' | 'comments'): TextOfFile[] {
  return listFiles(root)
    .filter((path) => isSource(path) && folder.test(path) && !isPatternFile(path))
    .filter((path) => part === 'comments' || !isTest(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter((file) => !isGenerated(file))
    .map(({ path, text }) => ({ path, text: partOf(path, text, part) }));
}

/** In strings with a statement in SQL or JavaScript. */
const CODE =
  /\b(AS|SELECT|INSERT|UPDATE|DELETE|BEGIN|FROM|WITH|WHERE|JOIN|SET)\b|\b(const|return|await) |=>|;$/m;

/** The comments of a file, or its strings that are sentences: those with a space. Everything else is blanked. */
function partOf(path: string, text: string, part: 'strings' | 'comments'): string {
  const { program, comments } = parseSync(path, text);
  const found: Range[] = [];
  if (part === 'comments') found.push(...comments);
  else {
    const add = ({ start, end }: Range) => {
      const value = text.slice(start, end);
      if (value.includes(' ') && !CODE.test(value)) found.push({ start, end });
    };
    new Visitor({
      Literal: (node) => (typeof node.value === 'string' ? add(node) : undefined),
      TemplateLiteral: ({ start, end, quasis }) => {
        if (!CODE.test(text.slice(start, end))) quasis.forEach(add);
      },
    }).visit(program);
  }
  return onlyIn(text, found);
}

/** The comments of SQL and style sheets. */
function plainComments(root: string): TextOfFile[] {
  return listFiles(root)
    .filter((path) => /\.(sql|css)$/.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const comment = path.endsWith('.sql') ? /--.*$/gm : /\/\*[^]*?\*\//g;
      const comments = [...text.matchAll(comment)];
      const places = comments.map(({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      }));
      return { path, text: onlyIn(text, places) };
    });
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The text with everything but these ranges blanked, and code in backticks. */
function onlyIn(text: string, ranges: readonly Range[]): string {
  let blanked = '';
  let at = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
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

/** The texts of a kind in a folder. */
interface Measured {
  readonly name: string;
  readonly words: number;
  readonly hits: ReadonlyMap<Phrase, readonly Hit[]>;
}

function measure(name: string, phrases: readonly Phrase[], files: readonly TextOfFile[]): Measured {
  const words = files.reduce((sum, { text }) => sum + wordsIn(text), 0);
  const hits = new Map(
    phrases.map((phrase) => [phrase, files.flatMap((file) => hitsIn(file, phrase))]),
  );
  return { name, words, hits };
}

/** The folder of a file: the first part of its path, and for documents the first two. */
function folderOf(path: string): string {
  const [first = '', ...rest] = path.split('/');
  if (rest.length === 0) return '.';
  return first === 'docs' && rest.length > 1 ? `docs/${rest[0]}` : first;
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

/** Phrases that are more frequent in the texts of a folder than in the texts of native writers. */
export function findWordProblems(root: string): string[] {
  return CORPORA.flatMap(({ name, phrases = PHRASES, isComments = false, texts }) => {
    const folders = Map.groupBy(texts(root), ({ path }) => folderOf(path));
    return [...folders].flatMap(([folder, files]) =>
      tooFrequent(measure(`${name} in ${folder}`, phrases, files), isComments),
    );
  });
}

function tooFrequent({ name, words, hits }: Measured, isComments: boolean): string[] {
  return [...hits].flatMap(([phrase, found]) => {
    const limit = isComments ? (phrase.inComments ?? phrase.limit) : phrase.limit;
    const most = Math.ceil((limit * words) / 10_000);
    if (found.length <= most) return [];
    const places = found.slice(0, 10).map(({ path, line, text }) => `\n  ${path}:${line}: ${text}`);
    const head = `${name}: "${phrase.name}" ${found.length} times in ${words} words, at most ${most}; write: ${phrase.fix}`;
    return [head + places.join('')];
  });
}

/** Lines of a table: each phrase with its rate per 10,000 words in each kind of text. */
export function wordTable(root: string): string[] {
  const measured = CORPORA.map(({ name, phrases = PHRASES, texts }) =>
    measure(name, phrases, texts(root)),
  );
  const width = 24;
  const row = (cells: readonly string[]) =>
    cells
      .map((cell) => cell.padEnd(width))
      .join('')
      .trimEnd();
  return [
    row(['per 10,000 words', ...measured.map(({ name }) => name)]),
    row(['words', ...measured.map(({ words }) => String(words))]),
    ...ALL_PHRASES.map((phrase) =>
      row([
        phrase.name,
        ...measured.map(({ words, hits }) => {
          const count = hits.get(phrase)?.length;
          if (count === undefined) return '–';
          return `${((count / words) * 10_000).toFixed(1)} (${count})`;
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
