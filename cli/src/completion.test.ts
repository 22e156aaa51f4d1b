import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runCommand, runProgram } from '@keywright/tests/harness/command-line';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { optionNames } from './command.ts';
import { COMMANDS } from './commands.ts';

const execFileAsync = promisify(execFile);

let folder: string;

before(async () => {
  folder = await temporaryDirectory('completion');
  const { code, stdout, stderr } = await runProgram(['completion', 'bash']);
  assert.deepEqual([code, stderr], [0, '']);
  await writeFile(join(folder, 'keywright.bash'), stdout);
  await writeFile(join(folder, 'audit of may.jsonl'), '');
});

/** What a real bash offers after each list of words, the last of which is being typed. */
async function complete(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const asked = lines.map((words) => {
    const typed = ['keywright', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _keywright; printf '%s\\0' "\${COMPREPLY[@]}"; echo`;
  });
  const script = ['set -u', 'source ./keywright.bash', 'complete -p keywright >&2', ...asked];
  const { stdout, stderr } = await execFileAsync('bash', ['--norc', '-c', script.join('\n')], {
    cwd: folder,
  });
  assert.equal(stderr, 'complete -F _keywright keywright\n');
  const answers = stdout.split('\n').slice(0, -1);
  return answers.map((answer) => answer.split('\0').filter((word) => word !== ''));
}

async function completeOne(...words: string[]): Promise<string[]> {
  const [offered] = await complete([words]);
  return offered ?? [];
}

describe('completion in bash', () => {
  test('offers every command, word by word, and every option of each', async () => {
    const words = COMMANDS.map(({ name }) => name.split(' '));
    const firsts = await completeOne('');
    assert.deepEqual(
      new Set(firsts),
      new Set([...words.map(([first]) => first), 'help', '--help', '--version']),
    );
    const seconds = words.filter((one) => one.length === 2);
    const offered = await complete(seconds.map(([first = '']) => [first, '']));
    for (const [index, [, second = '']] of seconds.entries()) {
      assert.ok(offered[index]?.includes(second), second);
    }
    assert.deepEqual(
      await complete(words.map((one) => one.concat('-'))),
      COMMANDS.map((command) => optionNames(command)),
    );
  });

  test('offers what the letters that are there begin', async () => {
    assert.deepEqual(await completeOne('te'), ['tenant']);
    assert.deepEqual(await completeOne('tenant', 'c'), ['create']);
    assert.deepEqual(await completeOne('key', 'rotate', '--im'), ['--immediately']);
    assert.deepEqual(await completeOne('help', 'tenant', 'l'), ['list']);
  });

  test('offers files where a file is asked for, and nothing where the value is free', async () => {
    assert.deepEqual(await completeOne('audit', 'verify', '--file', 'au'), ['audit of may.jsonl']);
    assert.deepEqual(await completeOne('audit', 'verify', '--file', '=', 'au'), [
      'audit of may.jsonl',
    ]);
    assert.deepEqual(await completeOne('key', 'rotate', '--tenant', ''), []);
    assert.deepEqual(await completeOne('key', 'rotate', '--tenant', '='), []);
    assert.deepEqual(await completeOne('key', 'rotate', '--tenant', 'org_a', '--im'), [
      '--immediately',
    ]);
  });

  test('runs nothing that stands in the line', async () => {
    assert.deepEqual(await completeOne('tenant', '$(touch ran)'), []);
    assert.deepEqual(await completeOne('$(touch ran)', '`touch ran`'), []);
    const { stdout } = await execFileAsync('ls', [folder]);
    assert.doesNotMatch(stdout, /^ran$/m);
  });
});

test('completion for a shell that has none is wrong usage', async () => {
  const { code, stdout, stderr } = await runCommand(['completion', 'tcsh']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /There are: completion bash\.$/m);
});
