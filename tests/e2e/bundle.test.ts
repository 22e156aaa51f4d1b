import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findBundle } from '../../server/src/bundle.mjs';
import { createDatabase } from '../harness/database.ts';
import { inheritedEnvironment } from '../harness/inherited.ts';
import { spawnServerProcess, startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LONGEST_START_MS = 90_000;
const COPIED = ['package.json', 'package-lock.json', 'contract', 'server', 'tools'];

let env: Readonly<Record<string, string>>;

before(async () => {
  const { url } = await createDatabase();
  const key = randomBytes(32).toString('base64');
  env = { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: key };
});

/** A clone of its own, but for the packages. */
async function newClone(): Promise<string> {
  const root = await realpath(await temporaryDirectory('clone'));
  const isSource = (path: string) => !path.includes('node_modules');
  for (const name of COPIED) {
    await cp(join(ROOT, name), join(root, name), { recursive: true, filter: isSource });
  }
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

/** What `npm start` does first. @returns what it says */
async function setUp(root: string): Promise<string> {
  const setup = spawn(process.execPath, [join(root, 'tools/setup.mjs'), '--bundle'], {
    env: inheritedEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return text(setup.stderr);
}

/** Starts the service as `npm start` does. @returns the version that it logs */
async function startedVersion(root: string, workers = 1): Promise<string> {
  const server = await startServerProcess({
    env: { ...env, KEYWRIGHT_WORKERS: String(workers) },
    program: join(root, 'server/src/start.mjs'),
  });
  const listening = () => server.stdout.matchAll(/"version":"([^"]+)".*"listening"/g).toArray();
  await until('all workers listen', () => listening().length === workers, LONGEST_START_MS);
  assert.equal((await server.http.request('GET', '/health')).status, 200);
  assert.equal((await server.interrupt()).code, 0);
  return listening().at(-1)?.[1] ?? '';
}

async function edit(path: string, from: string, to: string): Promise<number> {
  const source = await readFile(path, 'utf8');
  assert.ok(source.includes(from));
  await writeFile(path, source.replace(from, to));
  return source.slice(0, source.indexOf(from)).split('\n').length;
}

describe('a start', () => {
  test('runs the bundle while it matches the sources, and a changed source at the next start', async () => {
    const root = await newClone();
    assert.match(await setUp(root), /making a bundle/);
    assert.ok(findBundle(root), 'there is one');
    assert.equal(await setUp(root), '', 'and it is good');
    assert.equal(await startedVersion(root), '0.1.0');
    await edit(join(root, 'server/src/platform/version.ts'), '0.1.0', '0.1.9');
    assert.equal(await startedVersion(root), '0.1.9');
    assert.match(await setUp(root), /making a bundle/);
    assert.equal(await startedVersion(root, 2), '0.1.9');
    assert.ok(findBundle(root));
  });

  test('from a bundle reports the source line of an error', async () => {
    const root = await newClone();
    const source = join(root, 'server/src/platform/http/listen.ts');
    const body = 'export async function requireListenable(';
    const line = await edit(
      source,
      body,
      `broken();\nfunction broken() {\n  throw new Error('broken on purpose');\n}\n${body}`,
    );
    await setUp(root);
    assert.ok(findBundle(root));
    const server = spawnServerProcess({ env, program: join(root, 'server/src/start.mjs') });
    assert.equal((await server.exit()).code, 1);
    // Only a trace out of a bundle has no column.
    const place = `listen.ts:${line + 2})`;
    assert.ok(server.stderr.includes(`server/src/platform/http/${place}`), server.stderr);
  });

  test('runs the sources if no bundle can be written, and says why', async () => {
    const root = await newClone();
    await rm(join(root, 'server/node_modules'), { recursive: true, force: true });
    await writeFile(join(root, 'server/node_modules'), 'nothing can be written below a file');
    assert.match(
      await setUp(root),
      /starting from the sources, as no bundle could be made: ENOTDIR/,
    );
    assert.equal(await startedVersion(root), '0.1.0');
  });
});
