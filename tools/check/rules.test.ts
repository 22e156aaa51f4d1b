import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findRuleProblems, RULES_DOCUMENT } from './rules.ts';

// Ids are put together here, since this file's own source is searched for them too.
const id = (text: string): string => `SPEC ${text}`;

const RULES = [
  '| id | rule | state |',
  '| --- | --- | --- |',
  `| ${id('errors 1')} | One sentence. | holds |`,
  `| ${id('resources user 2')} | One sentence. | holds |`,
  `| ${id('errors 7')} | One sentence. | planned |`,
  `| ${id('errors 7b')} | One sentence. | planned |`,
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
  it('are in order when each that holds stands in a title', (t) => {
    assert.deepEqual(problemsOf(t, TESTED), []);
    const inOneTitle = `describe(\`\${x} ${id('errors 1')}, ${id('resources user 2')}\`, f);`;
    assert.deepEqual(problemsOf(t, inOneTitle), []);
    const asSubtest = `t.test('a (${id('errors 1')}; ${id('resources user 2')})', f);`;
    assert.deepEqual(problemsOf(t, asSubtest), []);
  });

  it('are listed in one message when no title names them', (t) => {
    const expected = [
      `these rules hold and no test names them in its title:\n  ${id('errors 1')}\n  ${id('resources user 2')}`,
    ];
    const notTitles = [
      `// ${id('errors 1')}, ${id('resources user 2')}`,
      `test.skip('a ${id('errors 1')}', f); it.todo('b ${id('resources user 2')}');`,
      `test(name, () => { log('${id('errors 1')}'); });`,
      `test(\`SPEC \${part} 1\`, f);`,
    ];
    for (const source of notTitles) assert.deepEqual(problemsOf(t, source), expected);
  });

  it('are not tested under an id that does not exist', (t) => {
    assert.deepEqual(problemsOf(t, `${TESTED}\ntest('c ${id('errors 99')}', f);`), [
      `server/src/x.test.ts:4  names ${id('errors 99')}, which docs/rules.md does not have`,
    ]);
  });

  it('are not cited in a comment under an id that does not exist', (t) => {
    assert.deepEqual(problemsOf(t, `\n// ${id('errors 99')}\n`, RULES, 'service.ts'), [
      `server/src/service.ts:2  names ${id('errors 99')}, which docs/rules.md does not have`,
    ]);
    assert.deepEqual(problemsOf(t, `// ${id('errors 7b')}\n`, RULES, 'service.ts'), []);
  });

  it('are flipped to holds once a test names them', (t) => {
    assert.deepEqual(problemsOf(t, `${TESTED}\ntest('c ${id('errors 7')}', f);`), [
      `server/src/x.test.ts:4  tests ${id('errors 7')}, which is planned: flip it to holds in docs/rules.md`,
    ]);
  });

  it('keep an id and the same id with a letter apart', (t) => {
    const rules = RULES.replace('| planned |\n', '| holds |\n');
    const found = problemsOf(t, `${TESTED}\ntest('c ${id('errors 7b')}', f);`, rules);
    assert.deepEqual(found, [
      `server/src/x.test.ts:4  tests ${id('errors 7b')}, which is planned: flip it to holds in docs/rules.md`,
      `these rules hold and no test names them in its title:\n  ${id('errors 7')}`,
    ]);
  });

  it('have ids of the form, states of the two, and no id twice', (t) => {
    const rules = [
      RULES,
      `| ${id('errors 1')} | Again. | holds |`,
      `| ${id('Errors 8')} | Upper case. | holds |`,
      `| ${id('errors 9')} | Another state. | done |`,
    ].join('\n');
    assert.deepEqual(problemsOf(t, TESTED, rules).slice(0, 3), [
      `docs/rules.md:7  ${id('errors 1')} is there twice; ids are never given again`,
      `docs/rules.md:8  "${id('Errors 8')}" is not of the form SPEC part 1`,
      `docs/rules.md:9  the state of ${id('errors 9')} is "done"; it is holds or planned`,
    ]);
  });

  it('are missed when the document holds none', (t) => {
    assert.deepEqual(problemsOf(t, '', '# Rules\n'), [
      'docs/rules.md has no rules: a rule is a row | id | text | state |',
    ]);
  });
});
