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
import { serve } from './commands/serve.ts';
import { fishScript } from './completion/fish.ts';
import { quoted } from './completion/words.ts';
import { zshScript } from './completion/zsh.ts';

const execFileAsync = promisify(execFile);

let folder: string;

before(async () => {
  folder = await temporaryDirectory('completion');
  const { code, stdout, stderr } = await runProgram(['completion', 'bash']);
  assert.deepEqual([code, stderr], [0, '']);
  await writeFile(join(folder, 'keywright.bash'), stdout);
  await writeFile(join(folder, 'audit of may.jsonl'), '');
});

/** Returns the completions of a real bash for each list of words, whose last word is incomplete. */
async function complete(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const commands = lines.map((words) => {
    const typed = ['keywright', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _keywright; printf '%s\\0' "\${COMPREPLY[@]}"; echo`;
  });
  const script = ['set -u', 'source ./keywright.bash', 'complete -p keywright >&2', ...commands];
  const { stdout, stderr } = await execFileAsync('bash', ['--norc', '-c', script.join('\n')], {
    cwd: folder,
  });
  assert.equal(stderr, 'complete -F _keywright keywright\n');
  const answers = stdout.split('\n').slice(0, -1);
  return answers.map((answer) => answer.split('\0').filter((word) => word !== ''));
}

async function completeLine(...words: string[]): Promise<string[]> {
  const [offered] = await complete([words]);
  return offered ?? [];
}

describe('completion in bash', () => {
  test('The bash completion offers every command, word by word, and every option of each', async () => {
    const words = COMMANDS.map(({ name }) => name.split(' '));
    const firsts = await completeLine('');
    assert.deepEqual(
      new Set(firsts),
      new Set([...words.map(([first]) => first), 'help', '--help', '--version']),
    );
    const seconds = words.filter((parts) => parts.length === 2);
    const offered = await complete(seconds.map(([first = '']) => [first, '']));
    for (const [index, [, second = '']] of seconds.entries()) {
      assert.ok(offered[index]?.includes(second), second);
    }
    assert.deepEqual(
      await complete(words.map((parts) => parts.concat('-'))),
      COMMANDS.map((command) => optionNames(command)),
    );
  });

  test('The bash completion completes a partial word', async () => {
    assert.deepEqual(await completeLine('te'), ['tenant']);
    assert.deepEqual(await completeLine('tenant', 'c'), ['create']);
    assert.deepEqual(await completeLine('key', 'rotate', '--im'), ['--immediately']);
    assert.deepEqual(await completeLine('help', 'tenant', 'l'), ['list']);
  });

  test('The bash completion offers file names for files and nothing for free values', async () => {
    assert.deepEqual(await completeLine('audit', 'verify', '--file', 'au'), ['audit of may.jsonl']);
    assert.deepEqual(await completeLine('audit', 'verify', '--file', '=', 'au'), [
      'audit of may.jsonl',
    ]);
    assert.deepEqual(await completeLine('key', 'rotate', '--tenant', ''), []);
    assert.deepEqual(await completeLine('key', 'rotate', '--tenant', '='), []);
    assert.deepEqual(await completeLine('key', 'rotate', '--tenant', 'org_a', '--im'), [
      '--immediately',
    ]);
  });

  test('The bash completion executes nothing that is in the command line', async () => {
    assert.deepEqual(await completeLine('tenant', '$(touch ran)'), []);
    assert.deepEqual(await completeLine('$(touch ran)', '`touch ran`'), []);
    const { stdout } = await execFileAsync('ls', [folder]);
    assert.doesNotMatch(stdout, /^ran$/m);
  });
});

/** The words offered at each position of a command line. */
type Offers = ReadonlyMap<string, readonly string[]>;

/** The expected completions of every command line, word by word. */
function expectedOffers(): Offers {
  const names = COMMANDS.map(({ name }) => name);
  const first = [...new Set(names.map((name) => name.split(' ')[0] ?? ''))];
  const seconds = first.map((group) => {
    const groupNames = names.filter((name) => name.startsWith(`${group} `));
    return [group, groupNames.map((name) => name.slice(group.length + 1))] as const;
  });
  return new Map([
    ['', [...first, 'help', '--help', '--version']],
    ['help', first],
    ...seconds
      .filter(([, words]) => words.length > 0)
      .flatMap(([group, words]) => [[group, words] as const, [`help ${group}`, words] as const]),
    ...COMMANDS.map((command) => [command.name, optionNames(command)] as const),
  ]);
}

/** Runs a script in bash, whose quotes and patterns are the same in the other shells. */
async function inBash(script: string): Promise<string[][]> {
  const { stdout, stderr } = await execFileAsync('bash', ['--norc', '-c', script], { cwd: folder });
  assert.equal(stderr, '');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1));
}

// The real shells are not installed everywhere. Their scripts are lists of words in single quotes, which bash reads
// the same way.
describe('completion in zsh', () => {
  test('The zsh completion offers every command and every option with its description, all quoted', async () => {
    const { stdout } = await runCommand(['completion', 'zsh']);
    assert.match(stdout, /^#compdef keywright\n/);
    const [, cases = ''] = /(\n {2}case "\$line " in\n.*\n {2}esac\n)/s.exec(stdout) ?? [];
    const offers = expectedOffers();
    const calls = [...offers.keys()].map((line) => `ask '${line}' ''`);
    const said = await inBash(
      `_files() { choices=(FILES); }\nask() { local line="$1" previous="$2" choices=(); look; printf '%s\\0' "\${choices[@]}"; echo; }
look() {${cases}}\n${calls.join('\n')}`,
    );
    const words = said.map((line) => line.map((choice) => choice.split(':', 1).join()));
    assert.deepEqual(words, [...offers.values()]);
    assert.ok(
      said.flat().every((choice) => /^[\w-]+:./.test(choice)),
      'each says what it means',
    );
  });
});

describe('completion in fish', () => {
  test('The fish completion offers every command and every option with its description, all quoted', async () => {
    const { stdout } = await runCommand(['completion', 'fish']);
    const lines = stdout.split('\n').filter((line) => line.startsWith('complete -c keywright -n '));
    const print = `complete() { printf '%s\\0' "$@"; echo; }`;
    const said = await inBash([print, ...lines].join('\n'));
    const offered = new Map<string, string[]>();
    for (const [, , , condition = '', kind = '', word = '', ...rest] of said) {
      const place = condition.replace(/^__keywright_(at|in) ?/, '');
      const text = kind === '-l' ? `--${word}` : word;
      offered.set(place, [...(offered.get(place) ?? []), text]);
      assert.equal(condition.startsWith('__keywright_in '), kind === '-l');
      assert.equal(rest.at(-2), '-d');
      assert.notEqual(rest.at(-1), '');
    }
    assert.deepEqual(offered, new Map(expectedOffers()));
    const option = (place: string, name: string) =>
      said.find(
        ([, , , condition, , word]) => condition === `__keywright_in ${place}` && word === name,
      );
    assert.deepEqual(option('audit verify', 'file')?.slice(6, 8), ['-r', '-F']);
    assert.deepEqual(option('user update', 'is-active')?.slice(6, 9), ['-x', '-a', 'true false']);
    assert.deepEqual(option('key rotate', 'tenant')?.slice(6, 8), ['-x', '-d']);
    assert.deepEqual(option('key rotate', 'immediately')?.slice(6, 7), ['-d']);
  });
});

test('The descriptions of commands cannot end quotes in completion scripts and are not executed', async () => {
  const says = `one's \\' $(touch ran) \`touch ran\` "`;
  const command = { ...serve, summary: says, options: { one: { help: says } } };
  const lines = fishScript([command])
    .split('\n')
    .filter((line) => line.startsWith('complete '));
  const said = await inBash(`complete() { printf '%s\\0' "$@"; echo; }\n${lines.join('\n')}`);
  const descriptions = said.flat().filter((word) => word.includes('touch'));
  assert.deepEqual(new Set(descriptions), new Set(['one’s /’ $(touch ran) `touch ran` "']));
  assert.ok(zshScript([command]).includes(quoted(`--one:${says}`)));
  const { stdout } = await execFileAsync('ls', [folder]);
  assert.doesNotMatch(stdout, /^ran$/m);
});

test('A request for the completion of an unsupported shell is wrong usage', async () => {
  const { code, stdout, stderr } = await runCommand(['completion', 'tcsh']);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /Commands: completion bash, completion zsh, completion fish\.$/m);
});
