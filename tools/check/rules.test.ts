import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findRuleProblems, RULES_DOCUMENT } from './rules.ts';

// Ids are assembled here because the check searches this file as well.
const id = (text: string): string => `SPEC ${text}`;

const RULES = [
  '| id | rule | state |',
  '| --- | --- | --- |',
  `| ${id('errors 1')} | One sentence. | holds |`,
  `| ${id('resources user 2')} | One sentence. | holds |`,
].join('\n');

const TESTED = `test('a (${id('errors 1')})', f);\nit('b (${id('resources user 2')})', f);\n`;

function problemsOf(t: TestContext, source: string, rules = RULES, file = 'x.test.ts'): string[] {
  const root = mkdtempSync(join(tmpdir(), 'keywright-rules-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of [
    [RULES_DOCUMENT, rules],
    ['server/src/all.test.ts', file === 'x.test.ts' ? '' : TESTED],
    [`server/src/${file}`, source],
  ] as const) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findRuleProblems(root);
}

describe('the numbered rules', () => {
  it('The numbered rules pass if each is named in a title', (t) => {
    assert.deepEqual(problemsOf(t, TESTED), []);
    const inSameTitle = `describe(\`\${x} ${id('errors 1')}, ${id('resources user 2')}\`, f);`;
    assert.deepEqual(problemsOf(t, inSameTitle), []);
    const asSubtest = `t.test('a (${id('errors 1')}; ${id('resources user 2')})', f);`;
    assert.deepEqual(problemsOf(t, asSubtest), []);
  });

  it('The numbered rules that no title names are listed in one message', (t) => {
    const expected = [
      `rules that no test title names:\n  ${id('errors 1')}\n  ${id('resources user 2')}`,
    ];
    const notTitles = [
      `// ${id('errors 1')}, ${id('resources user 2')}`,
      `test.skip('a ${id('errors 1')}', f); it.todo('b ${id('resources user 2')}');`,
      `test(name, () => { log('${id('errors 1')}'); });`,
      `test(\`SPEC \${part} 1\`, f);`,
    ];
    for (const source of notTitles) assert.deepEqual(problemsOf(t, source), expected);
  });

  it('A title that names a rule id that does not exist is reported', (t) => {
    assert.deepEqual(problemsOf(t, `${TESTED}\ntest('c ${id('errors 99')}', f);`), [
      `server/src/x.test.ts:4  names ${id('errors 99')}, which docs/rules.md does not have`,
    ]);
  });

  it('A comment that cites a rule id that does not exist is reported', (t) => {
    assert.deepEqual(problemsOf(t, `\n// ${id('errors 99')}\n`, RULES, 'service.ts'), [
      `server/src/service.ts:2  names ${id('errors 99')}, which docs/rules.md does not have`,
    ]);
  });

  it('A numbered rule is distinguished from the one whose id has an additional letter', (t) => {
    const rules = `${RULES}\n| ${id('errors 1b')} | One sentence. | holds |`;
    assert.deepEqual(problemsOf(t, TESTED, rules), [
      `rules that no test title names:\n  ${id('errors 1b')}`,
    ]);
  });

  it('A rule must have a reason if it is narrower, and none otherwise', (t) => {
    const narrower = RULES.replace('| holds |', '| narrower |');
    const reason = (rule: string) => `\n\n## Narrower than the text\n\n| ${id(rule)} | Why. |`;
    assert.deepEqual(problemsOf(t, TESTED, narrower + reason('errors 1')), []);
    const must = (line: number, rule: string) =>
      `docs/rules.md:${line}  ${id(rule)} must be "narrower" and have a row in "Narrower than the text", or neither`;
    assert.deepEqual(problemsOf(t, TESTED, narrower), [must(3, 'errors 1')]);
    assert.deepEqual(problemsOf(t, TESTED, RULES + reason('errors 1')), [must(3, 'errors 1')]);
    assert.deepEqual(problemsOf(t, TESTED, RULES + reason('errors 9')), [
      `docs/rules.md  a limit of ${id('errors 9')}, which is unknown`,
    ]);
  });

  it('The numbered rules must have valid ids and states, and no duplicates', (t) => {
    const rules = [
      RULES,
      `| ${id('errors 1')} | Again. | holds |`,
      `| ${id('Errors 8')} | Upper case. | holds |`,
      `| ${id('errors 9')} | Another state. | done |`,
    ].join('\n');
    assert.deepEqual(problemsOf(t, TESTED, rules).slice(0, 3), [
      `docs/rules.md:5  ${id('errors 1')} is a duplicate; ids are never reused`,
      `docs/rules.md:6  "${id('Errors 8')}": expected an id such as SPEC part 1`,
      `docs/rules.md:7  the state of ${id('errors 9')} is "done": expected holds or narrower`,
    ]);
  });

  it('A rules document without rules is reported', (t) => {
    assert.deepEqual(problemsOf(t, '', '# Rules\n'), [
      'docs/rules.md has no rules: expected rows | id | text | state |',
    ]);
  });
});
