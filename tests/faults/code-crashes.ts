import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { parallel } from '../harness/parallel.ts';
import { until } from '../harness/until.ts';
import { Applications } from './applications.ts';
import type { Figures, Run, Scenario } from './scenario.ts';

const NODES = 2;
const CLIENTS = 8;
/** A second less than the lifetime in the service, whose clock counts whole seconds. */
const CODE_LIFETIME_MS = 59_000;

/** Applications exchange codes while nodes are killed. */
export const codeCrashes: Scenario = {
  name: 'code-crashes',
  about:
    'a node killed while codes are exchanged, between the commit and the answer among others; a round is a kill',
  rounds: 60,
  run: crashExchanges,
};

interface Seen {
  /** Codes whose exchange returned tokens. */
  readonly acknowledged: Set<string>;
  /** Codes whose exchange got no response, so that the client does not have the tokens. */
  readonly lost: Set<string>;
  isOver: boolean;
}

export async function crashExchanges({ random, rounds, say }: Run): Promise<Figures> {
  const applications = await Applications.start(NODES);
  const seen: Seen = { acknowledged: new Set(), lost: new Set(), isOver: false };
  const clients = parallel(CLIENTS, () =>
    exchangeUntilOver(applications, seen, () => random.between(0, NODES)),
  );
  clients.catch(() => undefined);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const target = seen.acknowledged.size + random.between(5, 60);
      const areEnough = until('codes are exchanged', () => seen.acknowledged.size >= target);
      await Promise.race([areEnough, clients]);
      await applications.fleet.kill(random.between(0, NODES));
      if ((round + 1) % 10 === 0) say(`${round + 1} of ${rounds} kills`);
    }
    seen.isOver = true;
    await clients;
    return await judge(applications, seen, rounds);
  } finally {
    seen.isOver = true;
    await clients.catch(() => undefined);
    await applications.close();
  }
}

/** Requests and exchanges codes in a loop. After an exchange without a response, requests another code. */
async function exchangeUntilOver(
  applications: Applications,
  seen: Seen,
  anyNode: () => number,
): Promise<void> {
  while (!seen.isOver) {
    const node = anyNode();
    // A code must not expire while a node starts, so the node is awaited first.
    await applications.fleet.node(node);
    const startedAt = performance.now();
    // The node can be killed meanwhile.
    const code = await applications.authorize(anyNode()).catch(() => undefined);
    if (code === undefined) continue;
    const answer = await applications.exchange(node, code);
    const elapsedMs = performance.now() - startedAt;
    if (answer?.status === 400 && elapsedMs > CODE_LIFETIME_MS) continue;
    if (answer) assert.equal(answer.status, 200, `after ${elapsedMs} ms: ${answer.text}`);
    (answer ? seen.acknowledged : seen.lost).add(code);
  }
}

/** Every session has its own code. Acknowledged exchanges have a session, and lost exchanges have at most one. */
async function judge(
  applications: Applications,
  { acknowledged, lost }: Seen,
  kills: number,
): Promise<Figures> {
  const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
  const opened = (await applications.sessions()).map(({ code }) => code);
  assert.equal(new Set(opened).size, opened.length, 'sessions of one code');
  const stored = new Set(opened);
  const missing = [...acknowledged].filter((code) => !stored.has(hashOf(code)));
  assert.deepEqual(missing, [], 'acknowledged sessions');
  const attempted = new Set([...acknowledged, ...lost].map(hashOf));
  assert.ok(opened.every((hash) => attempted.has(hash)));
  const orphans = [...lost].filter((code) => stored.has(hashOf(code)));
  // An attacker cannot redeem a code whose exchange was lost.
  for (const code of orphans) {
    assert.equal((await applications.exchange(0, code))?.status, 400);
  }
  const fresh = await applications.authorize(1);
  assert.equal((await applications.exchange(1, fresh))?.status, 200);
  return { kills, exchanged: acknowledged.size, unanswered: lost.size, orphans: orphans.length };
}
