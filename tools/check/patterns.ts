import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';
import { isSource, isTest, listFiles } from './source-files.ts';

/** The recorded counts, which may only fall; `npm run generate` lowers them. */
export const COUNTS_FILE = 'tools/check/pattern-counts.json';

/** How often each pattern occurs in the files of each folder. */
export type PatternCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface Pattern {
  readonly name: string;
  /** What to write instead. */
  readonly fix: string;
  readonly count: (file: SourceFile) => number;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Patterns that make the code harder to follow or to read. */
const PATTERNS: readonly Pattern[] = [
  {
    name: 'unclear subjects',
    fix: 'name the subject: the user, the caller, an attacker, no one',
    count: matches(/\b(whoever|whomever|somebody|someone|nobody|everybody|anybody)\b/gi),
  },
  {
    name: 'translated phrases',
    fix: 'again, previous, instead of, alongside, immediately, continues, is notified of',
    count: matches(
      /\b(anew|of before|in place of|at once|beside|goes on|(is|are|was|were) told|tells? of|what is asked for)\b/gi,
    ),
  },
  {
    name: 'interfaces named Dependencies',
    fix: 'a class whose constructor names what it needs',
    count: outsideTests(matches(/^(export )?(interface|type) Dependencies\b/gm)),
  },
  {
    name: 'factories beside a type of their name',
    fix: 'a class, so that "go to definition" leads to the code',
    count: outsideTests(factoriesBesideTypes),
  },
  {
    name: 'as unknown as',
    fix: 'type the value where it is created',
    count: matches(/\bas unknown as\b/g),
  },
  {
    name: 'as in stores',
    fix: 'let the generated types of the database describe the row',
    count: ({ path, text }) => (path.endsWith('store.ts') ? assertionsIn(path, text) : 0),
  },
  {
    name: 'vague names',
    fix: 'the noun of what it is: request, parameters, entry, started, granted, callerTenant',
    count: vagueNamesIn,
  },
  {
    name: 'test titles without a subject',
    fix: 'a full sentence: "A revoked API key cannot open a session"',
    count: ({ path, text }) =>
      isTest(path) ? titlesIn(path, text).filter((title) => !hasSubject(title)).length : 0,
  },
];

function matches(pattern: RegExp): Pattern['count'] {
  return ({ text }) => text.match(pattern)?.length ?? 0;
}

function outsideTests(count: Pattern['count']): Pattern['count'] {
  return (file) => (isTest(file.path) ? 0 : count(file));
}

/** `createX`, which returns closures, with `type X` or `interface X` in the same file. */
function factoriesBesideTypes({ text }: SourceFile): number {
  const factories = [...text.matchAll(/^(?:export )?(?:async )?function create(\w+)/gm)];
  return factories.filter(([, name]) =>
    new RegExp(`^(export )?(type|interface) ${name}\\b`, 'm').test(text),
  ).length;
}

/** Type assertions, without `as const`. */
function assertionsIn(path: string, text: string): number {
  let count = 0;
  new Visitor({
    TSAsExpression({ typeAnnotation: { start, end } }) {
      if (text.slice(start, end) !== 'const') count += 1;
    },
  }).visit(parseSync(path, text).program);
  return count;
}

const VAGUE = /^(asked|told|given|wanted|held|kept|begun|own|one|some|ask|tell)$/;
const MAY_BE_VAGUE = /\b(asked|told|given|wanted|held|kept|begun|own|one|some|ask|tell)\b/;

/** Variables, parameters and functions whose whole name says nothing about what they are. */
function vagueNamesIn({ path, text }: SourceFile): number {
  if (!MAY_BE_VAGUE.test(text)) return 0;
  const names: string[] = [];
  const declare = (pattern: { readonly type: string } | null) => {
    if (pattern && isNamed(pattern)) names.push(pattern.name);
  };
  const declareAll = ({ params }: { readonly params: readonly { readonly type: string }[] }) =>
    params.forEach(declare);
  new Visitor({
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration(found) {
      declare(found.id);
      declareAll(found);
    },
    FunctionExpression: declareAll,
    ArrowFunctionExpression: declareAll,
  }).visit(parseSync(path, text).program);
  return names.filter((name) => VAGUE.test(name)).length;
}

function isNamed(pattern: {
  readonly type: string;
}): pattern is { readonly type: 'Identifier'; readonly name: string } {
  return pattern.type === 'Identifier';
}

/** The titles of all tests. */
export function titlesOf(root: string): string[] {
  return listFiles(root)
    .filter((path) => isSource(path) && isTest(path))
    .flatMap((path) => titlesIn(path, readFileSync(join(root, path), 'utf8')));
}

/** The titles of the tests in a file; a part that is computed reads `${…}`. */
function titlesIn(path: string, text: string): string[] {
  const titles: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (isTestFunction(callee) && title) titles.push(...textOf(title));
    },
  }).visit(parseSync(path, text).program);
  return titles;
}

function isTestFunction(callee: Expression): boolean {
  const named = callee.type === 'MemberExpression' ? callee.object : callee;
  return named.type === 'Identifier' && (named.name === 'test' || named.name === 'it');
}

function textOf(title: Argument): string[] {
  if (title.type === 'Literal' && typeof title.value === 'string') return [title.value];
  if (title.type !== 'TemplateLiteral') return [];
  return [title.quasis.map(({ value }) => value.cooked ?? '').join('${…}')];
}

/** Words with which a title starts only if its subject is missing. */
const NO_SUBJECT = new RegExp(
  '^(is|are|was|were|be|has|have|had|does|do|did|can|cannot|could|may|might|must|will|would|should|' +
    'and|or|nor|but|so|that|which|with|without|of|for|in|on|at|by|to|from|as|if|when|while|after|before|' +
    'also|never|not|only|still|once|again|within|during|because|unless|until|whether|whose|who|even|' +
    'see|show|end|name|give|follow|stay|replace|include|run|serve|create|get|take|apply|count|wait|' +
    'delete|read|cover|contain|prevent|return|use|work|begin|fail|refuse|sign|start|let|match|carry)\\b',
  'i',
);
/** A route at the start of a title is its subject. */
const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) \//;
/** Words in the third person singular, and plural nouns, which have the same ending. */
const ENDS_LIKE_VERB = /^[a-z]+s$/;
const NOUNS = new Set(
  (
    'access address addresses administrators agents application applications attempts attributes bytes ' +
    'callers claims clients codes consents cookies credentials deliveries dependents descriptions ' +
    'digits documents domains entries errors events factors families files filters folders forms fields hashes ' +
    'headers identifiers imports invitations keys links locales logins logos macs mails maintenance messages ' +
    'metrics migrations nodes notifications pages parameters passkeys passwords permissions providers ' +
    'queries receivers redirects refreshes registrations requests resources responses revocations roles rows routes ' +
    'scopes scripts secrets sessions settings statistics streams suspensions tenants texts tests tokens traces ' +
    'transactions users values variables verifiers webhooks words workspaces this its others'
  ).split(' '),
);

/** Whether a title is a sentence that says what it is about, as far as its first word shows. */
export function hasSubject(title: string): boolean {
  const [word = ''] = /^[\w'’-]*/.exec(title) ?? [];
  if (ROUTE.test(title)) return true;
  if (NO_SUBJECT.test(title)) return false;
  return !ENDS_LIKE_VERB.test(word) || NOUNS.has(word);
}

/** Counts the patterns in the code, without generated files. */
export function countPatterns(root: string): PatternCounts {
  const counts: Record<string, Record<string, number>> = {};
  for (const { name } of PATTERNS) counts[name] = {};
  for (const path of listFiles(root).filter(isWritten)) {
    if (isPatternFile(path)) continue;
    const file = { path, text: readFileSync(join(root, path), 'utf8') };
    if (isGenerated(file)) continue;
    for (const { name, count } of PATTERNS) {
      const found = count(file);
      const folders = counts[name];
      if (found === 0 || !folders) continue;
      folders[folderOf(path)] = (folders[folderOf(path)] ?? 0) + found;
    }
  }
  return counts;
}

/** Code, SQL, and the texts of pages and of the console. */
function isWritten(path: string): boolean {
  return isSource(path) || path.endsWith('.sql') || /\/texts\/[a-z]+\/.+\.json$/.test(path);
}

/** These files contain every pattern and phrase. */
export function isPatternFile(path: string): boolean {
  return /^tools\/check\/(patterns|phrases|words)(\.test)?\.ts$/.test(path);
}

export function isGenerated({ path, text }: SourceFile): boolean {
  return (
    /\bgenerated?\b.*`npm run generate`|by `npm run generate`/i.test(text.slice(0, 300)) ||
    path.includes('/generated/')
  );
}

/** `server/src/modules/<area>/<feature>`, or the first two folders. */
function folderOf(path: string): string {
  const depth = path.startsWith('server/src/modules/') ? 5 : 2;
  return path.split('/').slice(0, -1).slice(0, depth).join('/');
}

function readCounts(root: string): PatternCounts {
  return JSON.parse(readFileSync(join(root, COUNTS_FILE), 'utf8')) as PatternCounts;
}

/** Folders in which a pattern occurs more often than recorded. */
export function findPatternProblems(root: string): string[] {
  const recorded = readCounts(root);
  const found = countPatterns(root);
  return PATTERNS.flatMap(({ name, fix }) =>
    Object.entries(found[name] ?? {}).flatMap(([folder, count]) => {
      const most = recorded[name]?.[folder] ?? 0;
      if (count <= most) return [];
      return [`${folder}: ${name}: ${count}, at most ${most}\n  fix: ${fix}`];
    }),
  );
}

/** The recorded counts, lowered to what the code has now. */
export function loweredCounts(root: string): string {
  const recorded = readCounts(root);
  const found = countPatterns(root);
  const lowered: Record<string, Record<string, number>> = {};
  for (const { name } of PATTERNS) {
    const folders = Object.entries(found[name] ?? {}).map(
      ([folder, count]) => [folder, Math.min(count, recorded[name]?.[folder] ?? 0)] as const,
    );
    lowered[name] = Object.fromEntries(
      folders.filter(([, count]) => count > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  }
  return `${JSON.stringify(lowered, undefined, 2)}\n`;
}
