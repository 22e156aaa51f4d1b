import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { PHRASES, SCREEN_PHRASES } from './phrases.ts';
import { findWordProblems, proseOf, wordsInFiles } from './words.ts';

/** Creates a repository with these files. */
function repositoryOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'keywright-words-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** 5,000 words. */
const LONG = 'The service returns a token. '.repeat(1000);

/** A sentence for each phrase. */
const SENTENCES: Readonly<Record<string, string>> = {
  answer: 'The service answers 401.',
  'somebody, nobody': 'It is sent to nobody.',
  may: 'A client may retry.',
  'of which, to whom': 'A key by which it signs.',
  'at once': 'It ends at once.',
  'of its own': 'A key of its own.',
  'is no': 'It is no URL.',
  stays: 'The record stays.',
  'has to': 'The client has to retry.',
  whoever: 'The link works for whoever has it.',
  begin: 'It begins.',
  beside: 'A window beside it.',
  told: 'The client is told.',
  ', too': 'That is a token, too.',
  'things that say': 'The header says it.',
  alone: 'By name alone.',
  nor: 'Neither one nor two.',
  further: 'A further key.',
  'goes on': 'The session goes on.',
  'where, for if': 'Where a key is missing, it fails.',
  'once, for after': 'It works once it starts.',
  'from then on': 'It fails from then on.',
  'in place of': 'A key in place of a secret.',
  mails: 'It mails a link.',
  'clause as subject': 'What cannot be asked refuses no password.',
  meanwhile: 'It waits meanwhile.',
  'draw, for generate': 'A code is drawn.',
  'of before': 'The tokens of before.',
  'but for': 'All but for this.',
  anew: 'It starts anew.',
  'in turn': 'They run in turn.',
  mend: 'To mend it.',
  'e-mail': 'An e-mail.',
  'British spelling': 'An organisation.',
  'to log in': 'A user logs in.',
  'wordy requests': 'It asks for a code.',
};

test('Every phrase is found in a sentence that contains it', (t) => {
  assert.deepEqual(
    PHRASES.map(({ name }) => name),
    Object.keys(SENTENCES),
  );
  for (const { name, fix } of PHRASES) {
    const root = repositoryOf(t, { 'README.md': `# Title\n\n${SENTENCES[name]}\n` });
    const found = wordsInFiles(root, ['README.md']);
    assert.ok(
      found.some((line) => line.startsWith('README.md:3: ') && line.endsWith(fix)),
      `${name}: ${found.join()}`,
    );
  }
});

/** A text of a screen for each phrase. */
const SCREEN_TEXTS: Readonly<Record<string, string>> = {
  'log in': 'Log in',
  Id: 'Id of a user',
  mail: 'Mail server',
  'too, as well': 'Keys are deleted as well.',
  'It, as the first word': 'It stops working.',
  'space before an ellipsis': 'Loading …',
  refuse: 'Refused',
  'straight apostrophe': "Can't save",
};

test('A text of a screen is checked for words that no screen may have, and its key is not', (t) => {
  assert.deepEqual(
    SCREEN_PHRASES.map(({ name }) => name),
    Object.keys(SCREEN_TEXTS),
  );
  for (const { name, fix } of SCREEN_PHRASES) {
    const path = 'ui/console/src/texts/en/a.json';
    const catalog = JSON.stringify({ 'id.login': SCREEN_TEXTS[name] }, undefined, 2);
    const root = repositoryOf(t, { [path]: catalog, 'README.md': 'Log in' });
    const found = wordsInFiles(root, ['ui', 'README.md']);
    assert.deepEqual(
      found.filter((line) => line.endsWith(` → ${fix}`)).map((line) => line.split(': ')[0]),
      [`${path}:2`],
      found.join('\n'),
    );
    assert.ok(findWordProblems(root).some((problem) => problem.includes(`"${name}"`)));
  }
});

test('A phrase that native writers do not use is a problem wherever it occurs', (t) => {
  const files = { 'docs/guide/a.md': `${LONG}It ends at once.\n` };
  const [problem = '', place] = findWordProblems(repositoryOf(t, files)).join('\n').split('\n');
  assert.match(problem, /^user documentation in docs\/guide: "at once" 1 times in 5004 words, /);
  assert.match(problem, / at most 0; write: immediately, or at the same time$/);
  assert.equal(place, '  docs/guide/a.md:1: at once');
});

test('A phrase that native writers also use is accepted in each folder at their rate', (t) => {
  const often = LONG + 'A client may. '.repeat(4);
  assert.deepEqual(findWordProblems(repositoryOf(t, { 'docs/guide/a.md': often })), []);
  const [problem = ''] = findWordProblems(
    repositoryOf(t, { 'docs/guide/a.md': LONG, 'docs/start/a.md': 'A client may. It may.' }),
  );
  assert.match(problem, /^user documentation in docs\/start: "may" 2 times in 5 words, at most 1;/);
});

test('The limits in comments are those of the phrases for comments', (t) => {
  const text = `// ${LONG}\n// A further client, and a further one.\n`;
  assert.deepEqual(findWordProblems(repositoryOf(t, { 'server/src/a.ts': text })), []);
  assert.equal(findWordProblems(repositoryOf(t, { 'README.md': text })).length, 1);
});

test('Workflows, compose files and container files are checked', (t) => {
  const text = '# It ends at once.\n';
  const paths = ['.github/workflows/a.yml', 'compose.yaml', 'deploy/a.sql', 'Dockerfile'];
  const root = repositoryOf(t, Object.fromEntries(paths.map((path) => [path, text])));
  const problems = findWordProblems(root).join('\n');
  for (const path of paths) assert.ok(problems.includes(`  ${path}:1: at once`), path);
});

test('Strings and comments are measured, and code and identifiers are not', (t) => {
  const text = '// It begins.\nconst nobody = 1;\nexport const text = "A further one";\n';
  const root = repositoryOf(t, { 'contract/src/a.ts': text });
  assert.deepEqual(
    wordsInFiles(root, ['contract']).map((line) => line.split(' → ')[0]),
    ['contract/src/a.ts:3: further', 'contract/src/a.ts:1: begins'],
  );
});

test('Comments of SQL and style sheets are measured, and their code is not', (t) => {
  const root = repositoryOf(t, {
    'server/sql/a.sql': "SELECT 'anew'; -- Starts anew.\n",
    'ui/a.css': ':root { --anew: 0; }\n/* Starts\n   anew. */\n',
  });
  assert.deepEqual(
    wordsInFiles(root, ['']).map((line) => line.split(' → ')[0]),
    ['server/sql/a.sql:1: anew', 'ui/a.css:3: anew'],
  );
});

test('Code, markup, link targets and front matter are not prose', () => {
  const page =
    '---\ntitle: nor\n---\n<!-- nor -->\n```sh\nnor\n```\n`nor` [a](nor.md) <b nor>b</b>\n';
  assert.equal(proseOf(page).replace(/\s+/g, ' ').trim(), '[a b');
});
