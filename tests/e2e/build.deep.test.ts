import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PREPARED_DATABASE } from '../../tools/setup/prepared-database.mjs';
import { clusterOf } from '../harness/data-folder.ts';
import { type ServerProcess, spawnServerProcess, startServerProcess } from '../harness/process.ts';
import { databaseDirectory, temporaryDirectory } from '../harness/temporary.ts';
import { until } from '../harness/until.ts';
import { edit, type Environment, newClone, newEnvironment, setUp, startedWith } from './clone.ts';

let env: Environment;

before(async () => {
  env = await newEnvironment();
});

/** Loaded on first use. */
const LOADED_ON_USE = [
  '@electric-sql/pglite',
  '@formatjs/icu-messageformat-parser',
  '@node-rs/bcrypt',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  '@zxcvbn-ts/language-common',
  'intl-messageformat',
  'libphonenumber-js',
  'nodemailer',
  'oauth4webapi',
  'otpauth',
  'sodium-native',
  'tldts',
];

/** Starts the build with a preloaded module, and waits until it responds. */
function startWith(root: string, hook: string): Promise<ServerProcess> {
  return startServerProcess({
    env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}` },
    program: join(root, 'server/dist/start.mjs'),
  });
}

/** Runs a hot function from the start, and reports whether it was optimized when the service started to listen. */
const HOT = `
  import { setFlagsFromString } from 'node:v8';
  import net from 'node:net';
  setFlagsFromString('--allow-natives-syntax');
  // As V8's OptimizationStatus of this Node.js has it, by either compiler.
  const OPTIMIZED = 1 << 3;
  const isFast = new Function('one', 'return (%GetOptimizationStatus(one) & ' + OPTIMIZED + ') !== 0');
  const hot = new Function('to', 'let sum = 0; for (let at = 0; at < to; at += 1) sum += at % 7; return sum;');
  const heat = () => { for (let turn = 0; turn < 1000; turn += 1) hot(1000); };
  const listen = net.Server.prototype.listen;
  net.Server.prototype.listen = function (...given) {
    heat();
    console.log('fast while it starts: ' + isFast(hot));
    return listen.apply(this, given);
  };
  setInterval(() => { heat(); if (isFast(hot)) console.log('fast at last'); }, 20).unref();
`;

/** Starts the build, and waits until it responds. @returns the packages whose code it has loaded when it listens */
async function packagesOfStart(root: string): Promise<ReadonlySet<string>> {
  const list = join(await temporaryDirectory('loaded'), 'files');
  const hook = `
    import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    import net from 'node:net';
    const { listen } = net.Server.prototype;
    // Background work of a service that listens signs what is due, and loads libraries for it.
    let isStarting = true;
    net.Server.prototype.listen = function (...options) {
      this.once('listening', () => { isStarting = false; });
      return listen.apply(this, options);
    };
    registerHooks({
      load(url, context, next) {
        if (isStarting) appendFileSync(${JSON.stringify(list)}, url + '\\n');
        return next(url, context);
      },
    });`;
  const server = await startWith(root, hook);
  assert.equal((await server.http.request('GET', '/health')).status, 200);
  const urls = (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'));
  assert.equal((await server.interrupt()).code, 0);
  const files = urls.map((url) => fileURLToPath(url));
  const sources = await Promise.all(files.map((file) => sourcesOf(root, file)));
  const packageOf = (path: string) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [];
  return new Set(sources.flat().flatMap(packageOf));
}

/** The source files of a file of the build. For any other file, the file itself. */
async function sourcesOf(root: string, file: string): Promise<readonly string[]> {
  if (!file.startsWith(join(root, 'server/dist'))) return [file];
  const map = JSON.parse(await readFile(`${file}.json`, 'utf8')) as { sources: readonly string[] };
  return map.sources;
}

/** Starts the service in an empty data folder. @returns the cluster ID of its database */
async function clusterOfFirstStart(root: string): Promise<bigint> {
  const folder = await databaseDirectory('data');
  const server = await startServerProcess({
    env: { KEYWRIGHT_DATA_DIR: folder },
    program: join(root, 'server/dist/start.mjs'),
  });
  assert.equal((await server.http.request('GET', '/health')).status, 200);
  assert.equal((await server.interrupt()).code, 0);
  return clusterOf(folder);
}

describe('a start', () => {
  test('A start in an empty folder unpacks the prepared database of the build, and runs initdb if there is none', async () => {
    const root = await newClone();
    await setUp(root);
    const prepared = await clusterOfFirstStart(root);
    assert.equal(await clusterOfFirstStart(root), prepared);
    await rm(join(root, PREPARED_DATABASE));
    assert.notEqual(await clusterOfFirstStart(root), prepared);
  });

  test('A start loads no library that only some requests need', async () => {
    const root = await newClone();
    await setUp(root);
    // The first start creates a signing key.
    await startedWith(root, env);
    const loaded = await packagesOfStart(root);
    // Packages that a start does need prove that the list is complete.
    for (const name of ['fastify', 'kysely', 'pg', '@node-rs/argon2']) {
      assert.ok(loaded.has(name), name);
    }
    assert.deepEqual(
      LOADED_ON_USE.filter((name) => loaded.has(name)),
      [],
    );
  });

  test('A start compiles nothing for speed, and the service does once it listens', async () => {
    const root = await newClone();
    await setUp(root);
    const server = await startWith(root, HOT);
    assert.match(server.stdout, /fast while it starts: false/);
    assert.doesNotMatch(server.stdout, /fast while it starts: true/);
    await until('hot code is compiled for speed', () => server.stdout.includes('fast at last'));
    assert.equal((await server.interrupt()).code, 0);
  });

  test('A start that fails names the source and its line', async () => {
    const root = await newClone();
    const source = join(root, 'server/src/platform/http/listen.ts');
    const body = 'export async function listen(';
    const line = await edit(
      source,
      body,
      `broken();\nfunction broken() {\n  throw new Error('broken on purpose');\n}\n${body}`,
    );
    await setUp(root);
    const server = spawnServerProcess({ env, program: join(root, 'server/dist/start.mjs') });
    assert.equal((await server.exit()).code, 1);
    const place = `listen.ts:${line + 2})`;
    assert.ok(server.stderr.includes(`server/src/platform/http/${place}`), server.stderr);
  });

  test('A start fails if the build fails, and says where', async () => {
    const root = await newClone();
    await setUp(root);
    await edit(join(root, 'server/src/platform/version.ts'), 'export', 'exprot');
    const [said, code] = await setUp(root);
    assert.match(said, /the build failed: .*server\/src\/platform\/version\.ts:\d+/s);
    assert.equal(code, 1);
  });
});
