import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Library, UNABLE, VERIFYING } from '../clients/list.ts';
import { blocksOf } from '../e2e/guide-page.ts';

const ROOT = new URL('../../', import.meta.url);
const FOLDER = 'tests/clients/libraries';

const FILES: Readonly<Record<Library['language'], { program: string; manifest: string }>> = {
  Go: { program: 'verify.go', manifest: 'go.mod' },
  Java: { program: 'src/main/java/Verify.java', manifest: 'pom.xml' },
  JavaScript: { program: 'verify.mjs', manifest: 'package.json' },
  Perl: { program: 'verify.pl', manifest: 'cpanfile' },
  Python: { program: 'verify.py', manifest: 'requirements.txt' },
  Rust: { program: 'src/main.rs', manifest: 'Cargo.toml' },
};

const MARKED =
  /^[ \t]*(?:\/\/|#) In docs\/guide\/libraries\.md:\n([^]*?)\s*^[ \t]*(?:\/\/|#) To here\.$/m;

function read({ folder, language }: Library, kind: 'program' | 'manifest'): string {
  return readFileSync(new URL(`${FOLDER}/${folder}/${FILES[language][kind]}`, ROOT), 'utf8');
}

/** The part of the program marked for the guide, without indentation. */
function markedPart(program: string): string {
  const [, part = ''] = MARKED.exec(program) ?? [];
  const indentation = /^ */.exec(part)?.[0] ?? '';
  return `${part.replaceAll(new RegExp(`^${indentation}`, 'gm'), '')}\n`;
}

/** Spring Security has a second program, for the access tokens of a resource. */
function programs(): string[] {
  const path = `${FOLDER}/spring-security/src/main/java/VerifyForResource.java`;
  const ofResource = readFileSync(new URL(path, ROOT), 'utf8');
  return [...VERIFYING.map((library) => read(library, 'program')), ofResource];
}

/** The rows of its table: the columns, and the version. */
function rows() {
  const page = readFileSync(new URL('docs/guide/libraries.md', ROOT), 'utf8');
  const row =
    /^\| (\w+) +\| \[([^\]]+)\]\([^)]+\) (\S+) +\| (yes|no) +\| .+ \| \[([\w-]+)\]\(\.\.\/\.\.\/([\w/-]+)\) +\|$/gm;
  return [...page.matchAll(row)].map(
    ([, language = '', name = '', version = '', verdict = '', folder = '', path = '']) => ({
      version,
      columns: [language, name, verdict, folder, path].join(' | '),
      folder,
    }),
  );
}

const columnsOf = (verdict: string) => (library: Library) =>
  [library.language, library.name, verdict, library.folder, `${FOLDER}/${library.folder}`].join(
    ' | ',
  );

const escaped = (text: string) => text.replaceAll(/[.[\]]/g, '\\$&');

describe('the guide to libraries that verify tokens', () => {
  test('The library guide shows the marked part of each program that `npm run clients` runs, and nothing else', () => {
    const shown = blocksOf('libraries.md').map(({ text }) => text);
    assert.deepEqual(shown.toSorted(), programs().map(markedPart).toSorted());
  });

  test('The library guide has a row for each library, with the verdict that is tested and the version that is pinned', () => {
    const found = rows();
    const expected = [...VERIFYING.map(columnsOf('yes')), ...UNABLE.map(columnsOf('no'))];
    assert.deepEqual(found.map(({ columns }) => columns).toSorted(), expected.toSorted());
    for (const library of [...VERIFYING, ...UNABLE]) {
      const { version = '' } = found.find(({ folder }) => folder === library.folder) ?? {};
      const pinned = `${escaped(library.artifact ?? library.name)}\\D{1,40}${escaped(version)}(?![.\\d])`;
      assert.match(read(library, 'manifest'), new RegExp(pinned), library.folder);
    }
  });
});

test('The guide to verifying tokens shows the program with jose', () => {
  const jose = VERIFYING.find(({ folder }) => folder === 'jose');
  const shown = blocksOf('verifying-tokens.md').map(({ text }) => text);
  assert.deepEqual(shown, jose && [markedPart(read(jose, 'program'))]);
});
