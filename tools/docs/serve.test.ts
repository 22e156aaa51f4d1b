import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveSite } from './serve.ts';

test('The server of the documentation survives paths that cannot be parsed', async (t) => {
  const dist = await mkdtemp(join(tmpdir(), 'site-'));
  await writeFile(join(dist, '404.html'), 'Not found');
  const { url, server } = await serveSite(dist, 0);
  t.after(async () => {
    server.close();
    await rm(dist, { recursive: true });
  });
  for (const [path, status] of [
    ['/docs/%', 404],
    ['//', 302],
  ] as const) {
    const found = await new Promise((resolve, reject) => {
      const sent = request({ port: new URL(url).port, path, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject).end();
    });
    assert.equal(found, status, path);
  }
});
