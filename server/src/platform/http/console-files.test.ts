import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { openLog } from '../log.ts';
import { serveConsole } from './console-files.ts';
import { createServer } from './server.ts';

const SCRIPT = '/console/assets/main-4ZK2.js';
const CODE = 'document.title = "Console";';
const SHELL = '<!doctype html><title>Console</title>';

let folder: string;
let server: FastifyInstance;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-'));
  const files = { [SCRIPT]: { file: 'main.js', type: 'text/javascript; charset=utf-8' } };
  const built: Readonly<Record<string, string | Buffer>> = {
    'index.html': SHELL,
    'secret.txt': 'not in the manifest',
    'main.js': CODE,
    'main.js.br': brotliCompressSync(CODE),
    'main.js.gz': gzipSync(CODE),
    'manifest.json': JSON.stringify({ digest: 'abc', files }),
  };
  for (const [name, text] of Object.entries(built)) await writeFile(join(folder, name), text);
  server = start(folder);
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function start(at: string): FastifyInstance {
  const log = openLog('silent');
  const made = createServer({
    log,
    trustedProxies: new BlockList(),
    maxConnections: 10,
    docsUrl: () => 'http://localhost/docs',
  });
  serveConsole(made, pathToFileURL(`${at}/`));
  return made;
}

describe('the page of the console', () => {
  for (const path of ['/console', '/console/', '/console/t/org_default/users?state=active']) {
    test(`The console page is the same at ${path}, and its policy allows only files of the service`, async () => {
      const answer = await server.inject(path);
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.body, SHELL);
      const policy = String(answer.headers['content-security-policy']);
      assert.doesNotMatch(policy, /unsafe|nonce|https?:/);
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/);
      assert.match(policy, /; img-src 'self' data:; font-src 'self'; connect-src 'self';/);
      assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'/);
    });
  }

  test('The console page is not sent again to browsers that have it', async () => {
    const { headers } = await server.inject('/console');
    const again = { 'if-none-match': String(headers.etag) };
    const answer = await server.inject({ url: '/console/users', headers: again });
    assert.deepEqual([answer.statusCode, answer.body], [304, '']);
  });
});

describe('a file of the console', () => {
  for (const [accepts, coding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    test(`A console file is cached permanently, and compressed for ${accepts} as it was at the build`, async () => {
      const headers = { 'accept-encoding': accepts };
      const answer = await server.inject({ url: SCRIPT, headers });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(decode(answer.rawPayload).toString(), CODE);
      assert.match(String(answer.headers['cache-control']), /immutable/);
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
    });
  }

  for (const path of [
    '/console/assets/secret.txt',
    '/console/assets/main.js',
    '/console/assets/..%2Fsecret.txt',
    '/console/assets/__proto__',
    '/console/assets/main-4ZK3.js',
  ]) {
    test(`A console file is served only by its name in the manifest: not ${path}`, async () => {
      assert.equal((await server.inject(path)).statusCode, 404);
    });
  }
});

test('A service without a build of the console says how to get one', async () => {
  const unbuilt = start(join(folder, 'nothing'));
  const answer = await unbuilt.inject('/console');
  assert.equal(answer.statusCode, 404);
  assert.match(answer.body, /npm start/);
  await unbuilt.close();
});
