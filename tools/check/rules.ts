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
  const rules = readRules(readFileSync(join(root, RULES_DOCUMENT), 'utf8'));
  const mentions = listFiles(root)
    .filter(isSource)
    .flatMap((file) => mentionsIn(file, readFileSync(join(root, file), 'utf8')));
  return [
    ...problemsOfDocument(rules),
    ...problemsOfMentions(rules, mentions),
    ...unnamedRules(rules, mentions),
  ];
}

function readRules(document: string): Rule[] {
  return document.split('\n').flatMap((text, index) => {
    const [, id, state] = TABLE_ROW.exec(text) ?? [];
    return id === undefined || state === undefined ? [] : [{ id, state, line: index + 1 }];
  });
}

function problemsOfDocument(rules: readonly Rule[]): string[] {
  if (rules.length === 0)
    return [`${RULES_DOCUMENT} has no rules: expected rows | id | text | state |`];
  const seen = new Set<string>();
  return rules.flatMap(({ id, line, state }) => {
    const at = `${RULES_DOCUMENT}:${line}`;
    const problems: string[] = [];
    if (id.replace(ID, '') !== '')
      problems.push(`${at}  "${id}": expected an id such as SPEC part 1`);
    if (seen.has(id)) problems.push(`${at}  ${id} is a duplicate; ids are never reused`);
    if (state !== 'holds' && state !== 'planned') {
      problems.push(`${at}  the state of ${id} is "${state}": expected holds or planned`);
    }
    seen.add(id);
    return problems;
  });
}

function problemsOfMentions(rules: readonly Rule[], mentions: readonly Mention[]): string[] {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return mentions.flatMap(({ id, file, line, isTitle }) => {
    const rule = byId.get(id);
    if (!rule) return [`${file}:${line}  names ${id}, which ${RULES_DOCUMENT} does not have`];
    if (!isTitle || rule.state !== 'planned') return [];
    return [
      `${file}:${line}  tests ${id}, which is planned: change it to holds in ${RULES_DOCUMENT}`,
    ];
  });
}

function unnamedRules(rules: readonly Rule[], mentions: readonly Mention[]): string[] {
  const tested = new Set(mentions.filter((one) => one.isTitle).map((one) => one.id));
  const unnamed = rules.filter((rule) => rule.state === 'holds' && !tested.has(rule.id));
  if (unnamed.length === 0) return [];
  const list = unnamed.map((rule) => `\n  ${rule.id}`).join('');
  return [`rules that hold but that no test title names:${list}`];
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
  // `npm test` has to show each rule, each time.
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
