// The minimum cost of a delivery: the same POST with plain undici, over keep-alive connections.

import { setTimeout as pause } from 'node:timers/promises';
import { Pool, request } from 'undici';
import type { PostCommand } from './bare-post.ts';

/** As in the guard of outgoing calls. */
const POOL = { connections: 32, headersTimeout: 0, bodyTimeout: 0, allowH2: false } as const;

let pool: Pool | undefined;

process.on('message', (command: PostCommand) => {
  void run(command).then((times) => process.send?.(times));
});
process.on('disconnect', () => process.exit());

/** Posts at a fixed rate, or only waits at that rate. @returns how many times */
async function run(command: PostCommand): Promise<number> {
  const { url, delivery, posts, everyMs, milliseconds } = command;
  pool ??= new Pool(new URL(url).origin, POOL);
  const start = performance.now();
  const sent: Promise<void>[] = [];
  let times = 0;
  for (let due = start; due < start + milliseconds; due += everyMs) {
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    if (posts) sent.push(post(pool, url, delivery));
    times += 1;
  }
  await Promise.all(sent);
  return times;
}

async function post(
  dispatcher: Pool,
  url: string,
  { headers, body }: PostCommand['delivery'],
): Promise<void> {
  const response = await request(url, { method: 'POST', headers, body, dispatcher });
  await response.body.arrayBuffer();
  if (response.statusCode !== 200) throw new Error(`The receiver returned ${response.statusCode}.`);
}
