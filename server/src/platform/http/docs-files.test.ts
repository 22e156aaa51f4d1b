import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, BlockList, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { type ErrorCode, ERRORS } from '@keywright/contract/errors';
import type { FastifyInstance } from 'fastify';
import { openLog } from '../log.ts';
import { serveDocs } from './docs-files.ts';
import { createServer } from './server.ts';

const START = '<!doctype html><title>Keywright</title>';
const PAGE = '<!doctype html><title>Tenants</title>';
const LOST = '<!doctype html><title>Not found</title>';
const CONFIDENTIAL = 'the contents of another file';
const STYLE = 'main{color:red}';
const LARGE_BYTES = 8 * 1024 * 1024;
const SLOW_CLIENTS = 20;

let folder: string;
let server: FastifyInstance;
let unbuilt: FastifyInstance;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-'));
  const site = join(folder, 'site');
  const built: Readonly<Record<string, string | Buffer>> = {
    'index.html': START,
    '404.html': LOST,
    'guide/tenants.html': PAGE,
    'guide/tenants.html.br': brotliCompressSync(PAGE),
    'guide/tenants.html.gz': gzipSync(PAGE),
    'guide/tenants.md': '# Tenants',
    'llms.txt': 'Keywright',
    'pagefind/en.pf_meta': gzipSync('index'),
    '_assets/a.4ZK2.css': STYLE,
    'reference/large.json': Buffer.alloc(LARGE_BYTES, ' '),
    '.hidden': CONFIDENTIAL,
  };
  for (const [name, text] of Object.entries(built)) {
    await mkdir(join(site, name, '..'), { recursive: true });
    await writeFile(join(site, name), text);
  }
  await writeFile(join(folder, 'secret.txt'), CONFIDENTIAL);
  server = start(site);
  unbuilt = start(join(folder, 'nothing'));
});
after(async () => {
  await Promise.all([server.close(), unbuilt.close()]);
  await rm(folder, { recursive: true });
});

function start(at: string): FastifyInstance {
  const made = createServer({
    log: openLog('silent'),
    trustedProxies: new BlockList(),
    maxConnections: 100,
    docsUrl: () => 'http://localhost/docs',
  });
  serveDocs(made, pathToFileURL(`${at}/`));
  return made;
}

describe('the documentation', () => {
  for (const [path, type, body] of [
    ['/docs/', 'text/html; charset=utf-8', START],
    ['/docs/guide/tenants', 'text/html; charset=utf-8', PAGE],
    ['/docs/guide/tenants.md', 'text/markdown; charset=utf-8', '# Tenants'],
    ['/docs/llms.txt', 'text/plain; charset=utf-8', 'Keywright'],
    ['/docs/_assets/a.4ZK2.css', 'text/css; charset=utf-8', STYLE],
  ] as const) {
    test(`The file at ${path} has its type, and a policy without inline code`, async () => {
      const answer = await server.inject(path);
      assert.deepEqual([answer.statusCode, answer.body], [200, body]);
      assert.equal(answer.headers['content-type'], type);
      const policy = String(answer.headers['content-security-policy']);
      assert.match(policy, /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /);
      assert.doesNotMatch(policy, /unsafe-inline|https?:/);
      assert.match(policy, /frame-ancestors 'none'$/);
    });
  }

  test('The data of the search has no type of text and no content coding', async () => {
    const { headers } = await server.inject('/docs/pagefind/en.pf_meta');
    assert.equal(headers['content-type'], 'application/octet-stream');
    assert.equal(headers['content-encoding'], undefined);
  });

  test('A folder redirects to its documentation, and a trailing slash to the page', async () => {
    const folderAnswer = await server.inject('/docs');
    assert.deepEqual([folderAnswer.statusCode, folderAnswer.headers.location], [302, '/docs/']);
    const page = await server.inject('/docs/guide/tenants/');
    assert.deepEqual([page.statusCode, page.headers.location], [302, '/docs/guide/tenants']);
  });

  for (const [accepts, coding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['identity', undefined, (bytes: Buffer) => bytes],
  ] as const) {
    test(`A page is sent compressed for ${accepts}, as it was at the build`, async () => {
      const headers = { 'accept-encoding': accepts };
      const answer = await server.inject({ url: '/docs/guide/tenants', headers });
      assert.equal(answer.headers['content-encoding'], coding);
      assert.equal(answer.headers['vary'], 'Accept-Encoding');
      assert.equal(decode(answer.rawPayload).toString(), PAGE);
    });
  }

  test('A page is revalidated by its tag, and a file whose name has a digest is cached permanently', async () => {
    const { headers } = await server.inject('/docs/guide/tenants');
    assert.equal(headers['cache-control'], 'no-cache');
    const again = { 'if-none-match': String(headers.etag) };
    const answer = await server.inject({ url: '/docs/guide/tenants', headers: again });
    assert.deepEqual([answer.statusCode, answer.body], [304, '']);
    const style = await server.inject('/docs/_assets/a.4ZK2.css');
    assert.match(String(style.headers['cache-control']), /immutable/);
  });

  test('A HEAD request gets the headers of a page without its body', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/docs/guide/tenants' });
    assert.deepEqual([answer.statusCode, answer.body], [200, '']);
    assert.equal(answer.headers['content-length'], String(PAGE.length));
  });

  test('Clients that do not read their responses share the bytes of a file', async (t) => {
    await server.listen({ host: '127.0.0.1', port: 0 });
    const { port } = server.server.address() as AddressInfo;
    const initial = process.memoryUsage().arrayBuffers;
    const clients = Array.from({ length: SLOW_CLIENTS }, () => connect(port, '127.0.0.1'));
    t.after(() => clients.map((client) => client.destroy()));
    await Promise.all(
      clients.map(async (client) => {
        client.write('GET /docs/reference/large.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await once(client, 'readable');
      }),
    );
    const growth = process.memoryUsage().arrayBuffers - initial;
    assert.ok(growth < 3 * LARGE_BYTES, `${growth} bytes`);
  });

  test('A page that changes is sent with its new contents', async () => {
    const file = join(folder, 'site/guide/changing.md');
    await writeFile(file, '# Old');
    await utimes(file, 1, 1);
    const old = await server.inject('/docs/guide/changing.md');
    await writeFile(file, '# New');
    const { body, headers } = await server.inject('/docs/guide/changing.md');
    assert.equal(body, '# New');
    assert.notEqual(headers.etag, old.headers.etag);
  });

  for (const path of [
    '/docs/guide/nothing',
    '/docs/guide',
    '/docs/../secret.txt',
    '/docs/..%2Fsecret.txt',
    '/docs/%2e%2e/secret.txt',
    '/docs/guide/..%2f..%2fsecret.txt',
    '/docs/..%5Csecret.txt',
    '/docs/.hidden',
    '/docs/%00',
    '/docs//secret.txt',
    '/docs/file:%2F%2F%2Fetc%2Fpasswd',
    `/docs/${'a'.repeat(5000)}`,
  ]) {
    test(`A path that names no file of the documentation is not found: ${path.slice(0, 40)}`, async () => {
      const answer = await server.inject(path);
      assert.equal(answer.statusCode, 404);
      assert.equal(answer.body.includes(CONFIDENTIAL), false);
    });
  }
});

describe('a service without a build of the documentation', () => {
  test('The start page says how to build the documentation, and links to the API reference', async () => {
    const answer = await unbuilt.inject('/docs/');
    assert.equal(answer.statusCode, 200);
    assert.match(answer.body, /npm run docs -- --build/);
    assert.match(answer.body, /href="\/reference"/);
    assert.match(answer.body, /<meta name="robots" content="noindex"/);
  });

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    test(`The URL in a ${code} error leads to its page`, async () => {
      const answer = await unbuilt.inject(`/docs/errors/${code.toLowerCase()}`);
      assert.equal(answer.statusCode, 200);
      assert.ok(answer.body.includes(`<h1>${code}</h1>`));
      assert.match(answer.body, /<h2>Causes<\/h2>[^]*<h2>How to fix it<\/h2>[^]*<pre>curl /);
      assert.doesNotMatch(answer.body, /<script|`/);
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'; style/);
    });
  }

  for (const path of ['/docs/errors/nothing', '/docs/errors/__proto__', '/docs/guide/tenants']) {
    test(`The page at ${path} is not found`, async () => {
      assert.equal((await unbuilt.inject(path)).statusCode, 404);
    });
  }
});
