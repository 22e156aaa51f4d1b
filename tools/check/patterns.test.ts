import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { COUNTS_FILE, findPatternProblems, hasSubject, loweredCounts } from './patterns.ts';

/** Creates a repository with these files and recorded counts. */
function repositoryOf(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  recorded: Readonly<Record<string, Readonly<Record<string, number>>>> = {},
): string {
  const root = mkdtempSync(join(tmpdir(), 'keywright-patterns-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({
    ...files,
    [COUNTS_FILE]: JSON.stringify(recorded),
  })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const PATTERN = 'interfaces named Dependencies';
const FOLDER = 'server/src/modules/tokens/sessions';
const TWO = {
  [`${FOLDER}/a.ts`]: 'interface Dependencies {}\n',
  [`${FOLDER}/b.ts`]: 'export interface Dependencies {}\n',
};

test('A folder in which a pattern occurs more often than recorded is a problem', (t) => {
  const problems = findPatternProblems(repositoryOf(t, TWO, { [PATTERN]: { [FOLDER]: 1 } }));
  assert.match(problems.join(), /^server\/src\/modules\/tokens\/sessions: .+: 2, at most 1/);
  assert.equal(problems.length, 1);
});

test('A folder without a recorded count may not contain a pattern', (t) => {
  const problems = findPatternProblems(repositoryOf(t, TWO, { [PATTERN]: { tests: 5 } }));
  assert.match(problems.join(), /: 2, at most 0/);
});

test('The recorded counts fall with the code and never rise', (t) => {
  const fallen = loweredCounts(repositoryOf(t, TWO, { [PATTERN]: { [FOLDER]: 3 } }));
  assert.deepEqual(JSON.parse(fallen)[PATTERN], { [FOLDER]: 2 });
  const risen = loweredCounts(repositoryOf(t, TWO, { [PATTERN]: { [FOLDER]: 1 } }));
  assert.deepEqual(JSON.parse(risen)[PATTERN], { [FOLDER]: 1 });
});

test('Generated files are not counted', (t) => {
  const files = {
    'sdk/src/generated/records.ts': 'interface Dependencies {}\n',
    'server/sql/tokens/kw_x.ts':
      '// Made from kw_x.sql by `npm run generate`.\ntype Dependencies = 1;\n',
  };
  assert.deepEqual(findPatternProblems(repositoryOf(t, files)), []);
});

test('Each pattern is found where it is forbidden', (t) => {
  const problems = findPatternProblems(
    repositoryOf(t, {
      'server/sql/tokens/kw_x.sql': '-- Whoever presents it anew.\n',
      'server/src/modules/tokens/sessions/x.ts':
        'export type Open = () => void;\nexport function createOpen(): Open {}\n',
      'ui/console/src/texts/en/home.json': '{ "roles": "Somebody has this role" }\n',
      'cli/src/x.ts': 'const x = y as unknown as string;\n',
      'server/src/modules/identity/users/user-store.ts': 'const id = row.id as UserId;\n',
      'bench/rows/x.ts': 'const own = items.map((one) => one.id);\nfunction ask() {}\n',
      'tests/races/x.test.ts': "it('ends its session', () => {});\n",
    }),
  );
  assert.deepEqual(
    problems.map((problem) => problem.split('\n')[0]),
    [
      'server/sql: unclear subjects: 1, at most 0',
      'ui/console: unclear subjects: 1, at most 0',
      'server/sql: translated phrases: 1, at most 0',
      'server/src/modules/tokens/sessions: factories beside a type of their name: 1, at most 0',
      'cli/src: as unknown as: 1, at most 0',
      'server/src/modules/identity/users: as in stores: 1, at most 0',
      'bench/rows: vague names: 3, at most 0',
      'tests/races: test titles without a subject: 1, at most 0',
    ],
  );
});

test('A title that starts with its subject has one', () => {
  for (const title of [
    'A revoked API key cannot open a session',
    'tokens of a deleted tenant are rejected',
    'POST /auth/refresh returns 401 for an unknown token',
    '${…} requires a scope',
  ])
    assert.ok(hasSubject(title), title);
});

test('A title that starts with a verb, a preposition or a conjunction has no subject', () => {
  for (const title of [
    'rejects an unknown client',
    'is rejected after the window',
    'nor one for a revoked key',
    'without a secret, no token is issued',
  ])
    assert.ok(!hasSubject(title), title);
});
