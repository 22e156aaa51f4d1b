// The guide to adding an endpoint, followed in a copy of the repository. Files and commands are those of the guide.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { copyInto } from '../../tools/mutants/scratch.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { type Block, blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The text of a file after applying a diff, located by its context. */
function changed(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((before, hunk) => {
    const lines = hunk.split('\n').slice(0, -1);
    const side = (mark: string) =>
      lines
        .filter((line) => line.startsWith(' ') || line.startsWith(mark))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const parts = before.split(side('-'));
    assert.equal(parts.length, 2, `fits in one place:\n${hunk}`);
    return parts.join(side('+'));
  }, text);
}

/** The checks that a new endpoint can fail: the others would take most of the time. */
function shortened(commands: string): string {
  const checks = "'format' 'types' 'dependency rule' 'unused code' 'generated files'";
  return commands
    .replace('npm run check', `npm run check -- ${checks}`)
    .replace(/^npm test -- .*$/m, "$& --test-name-pattern '/agents|the agents|the contract'");
}

function follow(root: string, { file, language, text }: Block): void {
  assert.ok(file, `the guide names the file of:\n${text}`);
  const path = join(root, file);
  if (language === 'diff') return writeFileSync(path, changed(readFileSync(path, 'utf8'), text));
  mkdirSync(dirname(path), { recursive: true });
  return writeFileSync(path, text, { flag: 'wx' });
}

test('An endpoint is added by the steps of the guide, and no others', async () => {
  const steps = blocksOf('../contributing/adding-an-endpoint.md').filter(
    ({ section }) => section > 0,
  );
  const commands = steps.filter(({ language }) => language === 'sh');
  const root = await temporaryDirectory('endpoint');
  copyInto(root, ROOT);
  for (const step of steps) if (step.language !== 'sh') follow(root, step);
  const { code, stdout, stderr } = await paste(
    ['set -e', `cd '${root}'`, ...commands.map(({ text }) => shortened(text))].join('\n'),
    inheritedEnvironment(),
  );
  assert.equal(code, 0, stdout + stderr);
  const ran = [
    /✔ GET \/api\/sso\/v1\/workspaces\/:workspace_id\/agents is granted to its own tenant/,
    /✔ The count of the agents of a workspace includes the active ones/,
  ];
  for (const title of ran) assert.match(stdout, title);
});
