import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runCommand, runProgram } from '@keywright/tests/harness/command-line';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { COMMANDS as COMMAND_TABLE } from './commands.ts';
import { parseCommandLine } from './parse.ts';

const execFileAsync = promisify(execFile);

const COMMANDS = [
  'serve',
  'database sql',
  'migrate',
  'admin create',
  'admin recover',
  'tenant create',
  'tenant list',
  'tenant show',
  'tenant delete',
  'key list',
  'key rotate',
  'master-key rotate',
  'audit verify',
  'doctor',
  'login',
  'logout',
  'whoami',
  'profile list',
  'user list',
  'user show',
  'user create',
  'user update',
  'user disable',
  'user delete',
  'invitation list',
  'invitation show',
  'invitation create',
  'invitation resend',
  'invitation revoke',
  'agent list',
  'agent show',
  'agent create',
  'agent update',
  'agent delete',
  'api-key list',
  'api-key show',
  'api-key create',
  'api-key rotate',
  'api-key revoke',
  'webhook list',
  'webhook show',
  'webhook create',
  'webhook update',
  'webhook rotate',
  'webhook test',
  'webhook deliveries',
  'webhook retry',
  'webhook replay',
  'webhook delete',
  'event list',
  'event tail',
  'completion bash',
  'completion zsh',
  'completion fish',
];

/** Runs a command line of words without quotes. */
function run(line: string) {
  return runCommand(line.split(' ').filter(Boolean));
}

test('The program writes to its own streams and ends with the exit code of the command', async () => {
  const [help, wrong] = await Promise.all([runProgram(['help']), runProgram(['tenant', '--json'])]);
  assert.deepEqual([help.code, help.stderr], [0, '']);
  assert.equal(help.stdout, (await run('help')).stdout);
  assert.deepEqual([wrong.code, wrong.stderr, wrong.answer.code], [2, '', 'USAGE']);
  const alone = await runProgram([]);
  assert.deepEqual([alone.code, alone.stdout], [2, '']);
  assert.match(alone.stderr, /^Usage: keywright <command>/m);
});

/** The arguments that the shell passes to keywright for this line. */
async function argumentsOf(line: string, cwd: string): Promise<string[]> {
  const read = /< (\S+)/.exec(line)?.[1];
  if (read !== undefined) await writeFile(join(cwd, read), 'a secret');
  const script = `keywright() { printf '%s\\0' "$@" >&3; }; exec 3>&1; ${line}`;
  const { stdout } = await execFileAsync('bash', ['-c', script], { cwd });
  return stdout.split('\0').slice(0, -1);
}

describe('help', () => {
  test('The help names every command and every exit code', async () => {
    const { code, stdout, stderr } = await run('help');
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const name of COMMANDS) assert.match(stdout, new RegExp(`^  ${name} {3,}\\S`, 'm'));
    for (const exitCode of [0, 1, 2, 3, 4])
      assert.match(stdout, new RegExp(`^  ${exitCode}  \\S`, 'm'));
    assert.deepEqual(await run('--help').then((again) => again.stdout), stdout);
  });

  test('The help describes each command and its options', async () => {
    for (const name of COMMANDS) {
      const [about, asOption] = await Promise.all([run(`help ${name}`), run(`${name} --help`)]);
      assert.equal(about.code, 0);
      assert.match(about.stdout, new RegExp(`^keywright ${name}( [A-Z_]+)*: `));
      assert.match(about.stdout, /^ {2}--help/m);
      assert.equal(asOption.stdout, about.stdout);
      assert.equal(asOption.code, 0);
    }
  });

  test('The help shows a valid example of every command', async () => {
    const path = await temporaryDirectory('examples');
    for (const command of COMMAND_TABLE) {
      assert.ok(command.examples.length > 0, command.name);
      const { stdout } = await run(`help ${command.name}`);
      for (const example of command.examples) {
        assert.ok(stdout.includes(`\n  ${example}\n`), example);
        const parsed = parseCommandLine(await argumentsOf(example, path));
        assert.equal(parsed.kind === 'command' && parsed.command.name, command.name, example);
      }
    }
  });

  test('The help lists the commands of a group', async () => {
    for (const line of ['help tenant', 'tenant --help', 'tenant -h']) {
      const { code, stdout } = await run(line);
      assert.equal(code, 0);
      assert.match(stdout, /^keywright tenant create: .*^keywright tenant list: /ms);
    }
  });

  test('The help is printed, with the exit code of wrong usage, if no command is given', async () => {
    const { code, stdout, stderr } = await run('');
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^Usage: keywright <command>/m);
  });
});

test('--version prints the version', async () => {
  const { code, stdout } = await run('--version');
  assert.equal(code, 0);
  assert.match(stdout, /^keywright \d+\.\d+\.\d+\n$/);
});

describe('wrong usage exits with 2, does nothing, and lists the alternatives in one line', () => {
  const cases: readonly (readonly [line: string, says: RegExp])[] = [
    [
      'tenants',
      /Unknown command "tenants"\. Did you mean "tenant"\? Commands: serve, .*, user, .*, completion\.$/,
    ],
    [
      'tenant',
      /"tenant" needs a subcommand\. Commands: tenant create, tenant list, tenant show, tenant delete, tenant export, tenant import\.$/,
    ],
    [
      'tenant remove',
      /Commands: tenant create, tenant list, tenant show, tenant delete, tenant export, tenant import\.$/,
    ],
    ['help nothing', /Unknown command "nothing"\. Commands: /],
    ['--verbose', /Unknown option --verbose\. Commands: serve, /],
    [
      'tenant list --all',
      /no option --all\. Options: --search, --limit, --after, --json, --help\.$/,
    ],
    ['tenant list -a', /no option -a\. Options: /],
    ['serve --port=80', /no option --port\. Options: --help\.$/],
    ['tenant create', /"tenant create" needs --name NAME\.$/],
    ['tenant create --name', /--name needs a value: --name=NAME$/],
    ['tenant create --name --slug', /--name needs a value/],
    ['tenant create --name=', /--name needs a value/],
    ['tenant create --name a --name b', /--name was given twice\.$/],
    ['tenant list --limit=0', /--limit must be a number from 1 to 10000\.$/],
    ['tenant delete --tenant=org_a', /"tenant delete" needs --confirm ID\.$/],
    ['tenant delete --tenant=org_a --confirm=org_b', /--confirm must equal --tenant/],
    ['key rotate --tenant=org_a --immediately=yes', /--immediately takes no value\.$/],
  ];
  for (const [line, says] of cases) {
    test(`The command "keywright ${line}" is wrong usage`, async () => {
      const { code, stdout, stderr } = await run(line);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr.trimEnd(), says);
      assert.match(stderr, /^keywright: .*\n$/);
    });
  }

  test('A usage error is reported as JSON with --json, and exits with 2', async () => {
    const { code, stdout, stderr, answer } = await run('tenant create --json');
    assert.equal(code, 2);
    assert.equal(stderr, '');
    const message = '"tenant create" needs --name NAME.';
    assert.deepEqual(answer, { ok: false, code: 'USAGE', message });
    assert.equal(stdout.split('\n').length, 2);
  });
});

describe('a misspelling gets a suggestion', () => {
  const cases: readonly (readonly [line: string, says: RegExp])[] = [
    ['migrat', /Unknown command "migrat"\. Did you mean "migrate"\? Commands: /],
    ['hlep', /Unknown command "hlep"\. Did you mean "help"\? Commands: /],
    ['admni create', /Did you mean "admin create"\? /],
    ['tenant-list', /Did you mean "tenant list"\? /],
    ['tenatn', /Did you mean "tenant"\? /],
    ['tenant crate --name=Acme', /"tenant" needs a subcommand\. Did you mean "tenant create"\? /],
    ['help tenant lits', /Did you mean "tenant list"\? /],
    ['--versoin', /Unknown option --versoin\. Did you mean "--version"\? /],
    ['tenant create --nmae=Acme', /no option --nmae\. Did you mean "--name"\? Options: --name, /],
    ['tenant list --jsno', /Did you mean "--json"\? /],
    ['key rotate --tenant=org_a --imediately', /Did you mean "--immediately"\? /],
  ];
  for (const [line, says] of cases) {
    test(`The misspelled command "keywright ${line}" gets a suggestion`, async () => {
      const { code, stdout, stderr } = await run(line);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^keywright: .*\n$/);
    });
  }

  test('An input that is not a misspelling gets no suggestion', async () => {
    for (const line of [
      'nothing',
      'x',
      'tenant remove',
      '--verbose',
      'tenant list --all',
      'audit',
    ]) {
      assert.doesNotMatch((await run(line)).stderr, /Did you mean/, line);
    }
    const long = await runCommand(['tenant'.repeat(10_000)]);
    assert.doesNotMatch(long.stderr, /Did you mean/);
  });
});

test('A secret that was typed as an argument is not repeated', async () => {
  for (const line of [
    'admin create --identifier=a@example.com --secret=hunter2-hunter2',
    'admin create --identifier=a@example.com --secret hunter2-hunter2',
    'admin create --identifier=a@example.com hunter2-hunter2',
    'admin create --identifier=a@example.com --secret-stdin=hunter2-hunter2',
  ]) {
    const { code, stdout, stderr } = await run(line);
    assert.equal(code, 2, line);
    assert.doesNotMatch(stdout + stderr, /hunter2/);
    assert.match(stderr, /--secret-stdin/);
  }
});

test('--secret-stdin with nothing on standard input is wrong usage', async () => {
  const { code, stderr } = await run('admin create --identifier=a@example.com --secret-stdin');
  assert.equal(code, 2);
  assert.match(stderr, /standard input is empty/);
});
