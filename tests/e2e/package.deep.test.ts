import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, link, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpackDatabase } from '@keywright/server/platform/db/prepared-database';
import pg from 'pg';
import { PREPARED_DATABASE } from '../../tools/setup/prepared-database.mjs';
import { account } from '../harness/account.ts';
import { startPostgres } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { clusterOf } from '../harness/data-folder.ts';
import { handOver, temporaryDirectory } from '../harness/temporary.ts';
import { welcomed } from './welcome.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** npm on the tests' Node.js, with the user's registry, proxy and certificates. */
const FOR_NPM = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
  NODE_TEST_CONTEXT: undefined,
};

let dist: string;
let image: string;

before(async () => {
  dist = await temporaryDirectory('dist');
  image = await temporaryDirectory('image');
  const args = ['--out', dist, '--image', join(image, 'app')];
  await run(process.execPath, [join(ROOT, 'tools/package/main.mjs'), ...args], { env: FOR_NPM });
});

/** The cluster of the prepared database in the package, which first starts unpack. */
async function packedCluster(): Promise<bigint> {
  const folder = await temporaryDirectory('packed');
  const file = join(dist, 'keywright', PREPARED_DATABASE);
  assert.ok(unpackDatabase(file, join(folder, 'database'), (message) => assert.fail(message)));
  return clusterOf(folder);
}

async function logIn(server: ServerProcess, identifier: string, secret: string): Promise<number> {
  const body = { identifier, secret };
  return (await server.http.request('POST', '/auth/login', { body })).status;
}

/** Runs a command line, with its profiles in the folder. @returns its output */
function keywrightIn(folder: string, program: string) {
  return async (args: readonly string[], input = '') => {
    const running = run(process.execPath, [program, ...args], { env: { XDG_CONFIG_HOME: folder } });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
}

describe('the npm package', () => {
  test('The npm package installs in an empty folder and serves from there with an embedded database', async () => {
    const project = await temporaryDirectory('project');
    await writeFile(join(project, 'package.json'), '{"private":true}');
    const packed = (await readdir(dist)).filter((name) => name.endsWith('.tgz'));
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    const files = packed.map((name) => join(dist, name));
    await run('npm', [...args, ...files], { cwd: project, env: FOR_NPM });

    const program = join(project, 'node_modules/.bin/keywright');
    const { stdout: version } = await run(process.execPath, [program, '--version']);
    assert.match(version, /^keywright \d+\.\d+\.\d+\n$/);
    const server = await startServerProcess({ env: {}, cwd: project, program, args: ['serve'] });
    const [, secret = ''] = /Password {2,}(\S+)/.exec((await welcomed(server)).stdout) ?? [];
    const command = keywrightIn(project, program);
    const identifier = 'admin@keywright.localhost';
    const login = [`--url=${server.url}`, `--identifier=${identifier}`, '--secret-stdin'];
    assert.match(await command(['login', ...login], secret), /^Signed in to http/);
    assert.match(await command(['user', 'list']), new RegExp(`^user:.* ${identifier}$`, 'm'));
    const page = await fetch(`${server.url}/docs/errors/token_invalid`);
    assert.match(await page.text(), /TOKEN_INVALID[^]*Causes/);
    assert.equal((await server.sigterm()).code, 0);
    assert.equal(await clusterOf(join(project, '.keywright')), await packedCluster());
  });
});

/** The instructions of the last stage: name and arguments. */
async function lastStage(): Promise<readonly (readonly [string, string])[]> {
  const text = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  const stage = text.slice(text.lastIndexOf('\nFROM ') + 1).replaceAll('\\\n', '');
  return stage.split('\n').flatMap((line) => {
    const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    return name === undefined || rest === undefined ? [] : [[name, rest] as const];
  });
}

/** The command of an instruction in JSON form, with paths in the folder that stands in for the image. */
function commandOf(stage: Awaited<ReturnType<typeof lastStage>>, instruction: string): string[] {
  const [, text = ''] = stage.find(([name]) => name === instruction) ?? [];
  const command = JSON.parse(text.slice(text.indexOf('['))) as string[];
  return command.map((word) => word.replace(/^\/app\//, `${join(image, 'app')}/`));
}

async function makeReadOnly(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const mode = entry.isDirectory() ? 0o555 : 0o444;
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), mode);
  }
  await chmod(folder, 0o555);
}

/** A copy of Node.js that an unprivileged account can access, which is not true of a clone. */
async function nodeForAll(): Promise<string> {
  const folder = await temporaryDirectory('node');
  await chmod(folder, 0o755);
  const node = join(folder, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  return node;
}

/** A server in the state of compose.yaml's after its first start. */
async function preparedDatabase(): Promise<string> {
  const server = await startPostgres({ superuser: 'postgres' });
  const password = randomBytes(24).toString('hex');
  const roles = await readFile(join(ROOT, 'deploy/postgres/roles.sql'), 'utf8');
  const statements = roles.replace(/^\\getenv .*$/m, '').replace(":'password'", `'${password}'`);
  const create = new pg.Client(server.url);
  await create.connect();
  await create.query('CREATE DATABASE keywright');
  await create.end();
  const client = new pg.Client(server.databaseUrl('keywright'));
  await client.connect();
  await client.query(statements);
  await client.end();
  const url = new URL(server.databaseUrl('keywright'));
  url.username = 'keywright';
  url.password = password;
  return url.href;
}

describe('the container image', () => {
  test('The container image runs as an unprivileged user, with only its data writable, and prints how to sign in', async () => {
    const stage = await lastStage();
    assert.deepEqual(
      stage.find(([name]) => name === 'USER'),
      ['USER', 'node'],
    );
    const [node, program = '', ...args] = commandOf(stage, 'CMD');
    assert.equal(node, 'node');
    await makeReadOnly(join(image, 'app'));
    await chmod(image, 0o755);
    const data = await temporaryDirectory('data');
    await handOver(data);
    const [, variables = ''] = stage.find(([name]) => name === 'ENV') ?? [];
    const imageVariables = Object.fromEntries(
      variables.split(' ').map((pair) => pair.split('=') as [string, string]),
    );
    const server = await startServerProcess({
      node: await nodeForAll(),
      program,
      args,
      cwd: '/',
      account,
      env: { ...imageVariables, KEYWRIGHT_PORT: '0', KEYWRIGHT_DATA_DIR: data },
    });
    // As `docker run` and `docker logs` show it.
    const { stdout } = await welcomed(server);
    const [, secret = ''] = /Password {2,}(\S+)/.exec(stdout) ?? [];
    const [, oneTimeLink = ''] = /One-time link {2,}(\S+)/.exec(stdout) ?? [];
    assert.equal((await fetch(oneTimeLink)).status, 200);
    assert.equal(await logIn(server, 'admin@keywright.localhost', secret), 200);
    const [, health = ''] = commandOf(stage, 'HEALTHCHECK');
    const env = { KEYWRIGHT_PORT: new URL(server.url).port };
    await run(process.execPath, [health], { env });
    assert.equal((await server.sigterm()).code, 0);
    await assert.rejects(run(process.execPath, [health], { env }), 'nothing answers any more');
    assert.equal(await clusterOf(data), await packedCluster());
  });

  test('The container image works with the database that compose.yaml prepares, without being a superuser', async () => {
    const stage = await lastStage();
    const [, program = '', ...args] = commandOf(stage, 'CMD');
    const secret = randomBytes(12).toString('hex');
    const server = await startServerProcess({
      program,
      args,
      env: {
        KEYWRIGHT_DATABASE_URL: await preparedDatabase(),
        KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
        KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com',
        KEYWRIGHT_ADMIN_SECRET: secret,
      },
    });
    assert.equal(await logIn(server, 'root@example.com', secret), 200);
    assert.equal((await server.sigterm()).code, 0);
  });
});
