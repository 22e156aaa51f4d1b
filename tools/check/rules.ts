import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Argument, type Expression, parseSync, Visitor } from 'oxc-parser';
import { runsEachTime } from '../test/selection.ts';
import { isSource, lineAt, listFiles } from './source-files.ts';

/** The document that numbers every rule of the specification. */
export const RULES_DOCUMENT = 'docs/rules.md';

interface Rule {
  readonly id: string;
  readonly line: number;
  readonly state: string;
}

interface Mention {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** Whether it is in the title of a test, not in a comment. */
  readonly isTitle: boolean;
}

/** An id: `SPEC`, the part in lower-case words, a number, and a letter where one rule was split. */
const ID = /SPEC [a-z]+(?: [a-z]+)* \d+[a-z]?\b/g;
const TABLE_ROW = /^\| (SPEC [^|]+?) +\| .+ \| +(\w+) +\|$/;

/** Mismatches between the numbered rules and the tests and comments that name them. */
export function findRuleProblems(root: string): string[] {
  const document = readFileSync(join(root, RULES_DOCUMENT), 'utf8');
  const rules = readRules(document);
  const mentions = mentionsBelow(root);
  return [
    ...problemsOfDocument(rules, readLimits(document)),
    ...problemsOfMentions(rules, mentions),
    ...unnamedRules(rules, mentions),
  ];
}

/** The page that lists the tests of each rule. */
export function testedRulesPage(root: string): string {
  const mentions = mentionsBelow(root);
  const rows = readRules(readFileSync(join(root, RULES_DOCUMENT), 'utf8')).map(({ id }) => {
    const files = mentions.filter((mention) => mention.id === id && mention.isTitle);
    const links = [...new Set(files.map(({ file }) => `[${file}](../../${file})`))];
    return `| ${id} | ${links.toSorted().join('<br>')} |`;
  });
  return [
    '# Tests of the rules',
    '',
    'Which tests of `npm test` show each of [the numbered rules](../rules.md). Written by `npm run generate`.',
    '',
    '| rule | tests |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function mentionsBelow(root: string): Mention[] {
  return listFiles(root)
    .filter(isSource)
    .flatMap((file) => mentionsIn(file, readFileSync(join(root, file), 'utf8')));
}

function readRules(document: string): Rule[] {
  return document.split('\n').flatMap((text, index) => {
    const [, id, state] = TABLE_ROW.exec(text) ?? [];
    return id === undefined || state === undefined ? [] : [{ id, state, line: index + 1 }];
  });
}

/** The rules in the section about limits that are narrower than the text. */
function readLimits(document: string): string[] {
  const [, section = ''] = document.split(/^## Narrower than the text$/m);
  return [...section.matchAll(/^\| (SPEC [^|]+?) +\| .+ \|$/gm)].map(([, id = '']) => id);
}

function problemsOfDocument(rules: readonly Rule[], limits: readonly string[]): string[] {
  if (rules.length === 0)
    return [`${RULES_DOCUMENT} has no rules: expected rows | id | text | state |`];
  const seen = new Set<string>();
  const problems = rules.flatMap(({ id, line, state }) => {
    const at = `${RULES_DOCUMENT}:${line}`;
    const found: string[] = [];
    if (id.replace(ID, '') !== '') found.push(`${at}  "${id}": expected an id such as SPEC part 1`);
    if (seen.has(id)) found.push(`${at}  ${id} is a duplicate; ids are never reused`);
    if (state !== 'holds' && state !== 'narrower') {
      found.push(`${at}  the state of ${id} is "${state}": expected holds or narrower`);
    }
    if ((state === 'narrower') !== limits.includes(id)) {
      found.push(
        `${at}  ${id} must be "narrower" and have a row in "Narrower than the text", or neither`,
      );
    }
    seen.add(id);
    return found;
  });
  const unknown = limits.filter((id) => !seen.has(id));
  return [
    ...problems,
    ...unknown.map((id) => `${RULES_DOCUMENT}  a limit of ${id}, which is unknown`),
  ];
}

function problemsOfMentions(rules: readonly Rule[], mentions: readonly Mention[]): string[] {
  const ruleIds = new Set(rules.map(({ id }) => id));
  return mentions
    .filter(({ id }) => !ruleIds.has(id))
    .map(
      ({ id, file, line }) => `${file}:${line}  names ${id}, which ${RULES_DOCUMENT} does not have`,
    );
}

function unnamedRules(rules: readonly Rule[], mentions: readonly Mention[]): string[] {
  const tested = new Set(
    mentions.filter((mention) => mention.isTitle).map((mention) => mention.id),
  );
  const unnamed = rules.filter((rule) => !tested.has(rule.id));
  if (unnamed.length === 0) return [];
  const list = unnamed.map((rule) => `\n  ${rule.id}`).join('');
  return [`rules that no test title names:${list}`];
}

function mentionsIn(file: string, text: string): Mention[] {
  if (!text.includes('SPEC ')) return [];
  const { program, comments } = parseSync(file, text);
  const mentions: Mention[] = [];
  const add = (source: string, offset: number, isTitle: boolean): void => {
    for (const [id] of source.matchAll(ID)) {
      mentions.push({ id, file, line: lineAt(text, offset), isTitle });
    }
  };
  for (const { value, start } of comments) add(value, start, false);
  // `npm test` must show each rule in every run.
  if (/\.test\.[a-z]+$/.test(file) && runsEachTime(file)) {
    new Visitor({
      CallExpression: ({ callee, arguments: [first], start }) => {
        if (isTestCall(callee)) add(titleOf(first), start, true);
      },
    }).visit(program);
  }
  return mentions;
}

/** `test(…)`, `it(…)`, `describe(…)`, and the subtests `t.test(…)`; not `test.skip(…)` or `it.todo(…)`. */
function isTestCall(callee: Expression): boolean {
  if (callee.type === 'Identifier')
    return ['test', 'it', 'describe', 'suite'].includes(callee.name);
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name === 'test'
    : false;
}

function titleOf(argument: Argument | undefined): string {
  if (argument?.type === 'Literal') return String(argument.value);
  if (argument?.type !== 'TemplateLiteral') return '';
  // The value of ${…} is unknown here; an id must not be joined across it.
  return argument.quasis.map((quasi) => quasi.value.cooked ?? '').join('…');
}
