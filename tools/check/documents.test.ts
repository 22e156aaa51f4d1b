import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findDocumentProblems } from './documents.ts';
import type { DatedText } from './guides.ts';

const RECORD = '# 1. Title\n\nStatus: accepted, 2026-11-21.\n';
const PROMISE = '| Tenants are isolated | `tests/a.test.ts` |';
const GOOD = {
  'README.md': 'See [a record](docs/adr/0001-title.md) and [below](#below-it).\n\n## Below it\n',
  'docs/adr/0001-title.md': RECORD,
  'docs/threat-model.md': `# Threats\n\n## Promises\n\n### One\n\n| Promise | Test |\n| --- | --- |\n${PROMISE}\n`,
  'docs/standards.md':
    '# Standards\n\n| § | Requirement | Holds | Shown |\n| --- | --- | --- | --- |\n| 1 | One | yes | `tests/a.test.ts` |\n| 2 | Two | no | A reason |\n',
  'tests/a.test.ts': '// ADR 1',
};

function problemsOf(
  t: TestContext,
  changes: Readonly<Record<string, string>> = {},
  datedTexts: readonly DatedText[] = [],
): string[] {
  const root = mkdtempSync(join(tmpdir(), 'keywright-documents-'));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...GOOD, ...changes })) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return findDocumentProblems(root, datedTexts);
}

describe('the documents', () => {
  it('A document can link to files and headings, and to anything in code', (t) => {
    assert.deepEqual(problemsOf(t), []);
    assert.deepEqual(problemsOf(t, { 'SECURITY.md': '`[a](b.md)`\n\n```\n[a](b.md)\n```\n' }), []);
  });

  it('A dead link in a document is reported', (t) => {
    assert.deepEqual(problemsOf(t, { 'docs/a.md': '[a](../b.md)' }), [
      'docs/a.md  links to b.md, which does not exist',
    ]);
    assert.deepEqual(problemsOf(t, { 'docs/a.md': '[a](../README.md#above)' }), [
      'docs/a.md  links to README.md#above, which has no such heading',
    ]);
  });

  it('The decision records must be numbered without gaps or duplicates, and each must have a status', (t) => {
    const gap = { 'docs/adr/0003-title.md': RECORD.replace('1.', '3.') };
    assert.match(problemsOf(t, gap)[0] ?? '', /0003-title.md {2}is record 2/);
    const twice = { 'docs/adr/0001-twice.md': RECORD };
    assert.match(problemsOf(t, twice)[0] ?? '', /0001-twice.md {2}is record 2/);
    const unclear = { 'docs/adr/0001-title.md': '# 2. Title\n\n## Context\n' };
    assert.deepEqual(problemsOf(t, unclear), [
      'docs/adr/0001-title.md  the title must start with "# 1. "',
      'docs/adr/0001-title.md  line 3 must start with "Status: "',
    ]);
  });

  it('All documents and sources must cite only records that exist', (t) => {
    assert.deepEqual(problemsOf(t, { 'server/sql/a.sql': '-- ADR 2' }), [
      'server/sql/a.sql  cites ADR 2, which does not exist',
    ]);
  });

  it('The threat model must name an existing test for each promise', (t) => {
    const text = GOOD['docs/threat-model.md'];
    const missing = { 'docs/threat-model.md': text.replace('a.test.ts', 'b.test.ts') };
    assert.deepEqual(problemsOf(t, missing), [
      'docs/threat-model.md  names tests/b.test.ts, which does not exist',
    ]);
    const untested = {
      'docs/threat-model.md': `${text}| Nothing is lost | fsync |\n### Two\n\nYes.`,
    };
    assert.deepEqual(problemsOf(t, untested), [
      'docs/threat-model.md  has a promise without a test: | Nothing is lost | fsync |',
      'docs/threat-model.md  has a promise without a test: Two\n\nYes.',
    ]);
  });

  it('A promise shown only by tests that npm test can leave out is reported', (t) => {
    const text = GOOD['docs/threat-model.md'];
    for (const test of ['tests/e2e/build.deep.test.ts', 'tests/console/walk.test.ts']) {
      const changed = { [test]: '', 'docs/threat-model.md': `${text}| Rare | \`${test}\` |\n` };
      assert.deepEqual(problemsOf(t, changed), [
        `docs/threat-model.md  has a promise without a test: | Rare | \`${test}\` |`,
      ]);
    }
  });

  it('The standards document must name an existing test for each requirement that holds, and a reason for the others', (t) => {
    const text = GOOD['docs/standards.md'];
    assert.deepEqual(problemsOf(t, { 'docs/standards.md': text.replace('a.test', 'b.test') }), [
      'docs/standards.md  names tests/b.test.ts, which does not exist',
    ]);
    for (const row of [
      '| 3 | Three | yes | surely |',
      '| 3 | Three | no |  |',
      '| 3 | Three | may | be |',
    ]) {
      assert.deepEqual(problemsOf(t, { 'docs/standards.md': `${text}${row}\n` }), [
        'docs/standards.md  requirement 3 needs a verdict, and a test or reason',
      ]);
    }
  });

  it('A guide can use no shell variable that none of its earlier blocks sets', (t) => {
    const guide = (...blocks: readonly string[]) => ({
      'docs/guide/a.md': blocks.map((code) => `\`\`\`sh\n${code}\n\`\`\`\n`).join('\n'),
    });
    const set = guide(
      "KEYWRIGHT=http://localhost:8080 IDENTIFIER=a\nSECRET='the password'",
      'TOKEN=$(curl -s $KEYWRIGHT -d "{\\"a\\":\\"$IDENTIFIER\\",\\"b\\":\\"$SECRET\\"}" | node -pe \'`${x}`\')',
      'export ID=$(node -p "$TOKEN") OTHER="${ID#a}"\nread -r NAME\nfor ONE in $(ls "$OTHER"); do echo "$ONE $NAME"; done',
      'api() {\n  local after\n  curl "$1" ${2:+-d "$2"} "${after:-x}" # $NOTHING\n}\nstart & FIRST=$!',
      'cat > settings <<END\nPORT=$ID\nEND\ncat <<\'END\'\n$NOTHING\nEND\nkill $FIRST; jq . <<< "$PORT"',
      'echo $HOME $PATH $PWD',
    );
    assert.deepEqual(problemsOf(t, set), []);
    const unset = [
      'echo $TOKEN',
      'echo "${TOKEN}"',
      'TOKEN=$(cat) cat\necho $TOKEN',
      'TOKEN=$(curl "$TOKEN")',
      'echo \'a\'"$(cat <<END\n$TOKEN\nEND\n)"',
      'curl -d TOKEN=$TOKEN',
      "echo '\n'$TOKEN'\n'",
    ];
    for (const code of unset) {
      assert.deepEqual(problemsOf(t, guide(code, 'TOKEN=later')), [
        'docs/guide/a.md  reads $TOKEN, which no earlier block sets',
      ]);
    }
  });

  it('A guide can use "this version", "planned" and "not yet" only in sentences of the allow-list', (t) => {
    for (const word of ['this version', 'Planned', 'not yet']) {
      const guide = { 'docs/guide/a.md': `# A\n\nSAML is\n${word.replace(' ', '\n')}.\n` };
      assert.deepEqual(problemsOf(t, guide), [
        `docs/guide/a.md  has "${word}": rewrite it, or add it to DATED_TEXTS with a reason`,
      ]);
      const allowed = { file: 'docs/guide/a.md', text: `SAML is ${word}`, reason: 'because' };
      assert.deepEqual(problemsOf(t, guide, [allowed]), []);
      assert.deepEqual(problemsOf(t, { 'docs/guide/a.md': '# A\n' }, [allowed]), [
        `docs/guide/a.md  no longer has "SAML is ${word}": remove it from DATED_TEXTS`,
      ]);
    }
  });
});
