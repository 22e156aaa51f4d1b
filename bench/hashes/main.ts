import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { createPasswordHasher } from '@keywright/server/platform/crypto/password';
import type { Share } from '@keywright/server/platform/crypto/fair-queue';

/**
 * What a flood of logins in one tenant costs another one, in hash times, and what it does to the event loop, with the
 * threads that hash at their usual priority and at niceness 10, in turn. The priority is raised again only for root.
 * `node bench/hashes/main.ts [rounds] [seconds]`
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 4);
/** So many logins of the flood are under way at once. */
const FLOOD = 200;
const B: Share = { flow: 'tenant B', source: 'home' };

const FLOODS: Readonly<Record<string, (index: number) => Share>> = {
  'one address': () => ({ flow: 'tenant A', source: 'one' }),
  'many addresses': (index) => ({ flow: 'tenant A', source: `address ${index}` }),
};

function setNiceness(niceness: number): void {
  for (const thread of readdirSync('/proc/self/task')) {
    const name = readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim();
    if (name === 'libuv-worker') setPriority(Number(thread), niceness);
  }
}

async function measure(shareOf: (index: number) => Share, niceness: number) {
  const passwords = createPasswordHasher();
  await passwords.verify(undefined, 'a secret', B);
  setNiceness(niceness);
  const over = performance.now() + SECONDS * 1000;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const flood = Array.from({ length: FLOOD }, async (_, index) => {
    while (performance.now() < over) {
      // One that is refused comes again soon.
      await passwords.verify(undefined, 'a secret', shareOf(index)).catch(() => pause(20));
    }
  });
  delay.enable();
  const begun = performance.now();
  const waits: number[] = [];
  let refused = 0;
  while (performance.now() < over) {
    const asked = performance.now();
    await passwords.verify(undefined, 'a secret', B).catch(() => (refused += 1));
    waits.push(performance.now() - asked);
    await pause(10);
  }
  const elapsed = performance.now() - begun;
  delay.disable();
  const hashMs = (elapsed * availableParallelism()) / passwords.computed;
  await Promise.all(flood);
  const p50 = waits.toSorted((one, other) => one - other)[waits.length >> 1] ?? 0;
  return { hashMs, p50, p50InHashes: p50 / hashMs, refused, loopP99: delay.percentile(99) / 1e6 };
}

process.stdout.write(
  'flood from      niceness  hash ms  B p50 ms  in hash times  B refused  event loop p99 ms\n',
);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [from, shareOf] of Object.entries(FLOODS)) {
    for (const niceness of round % 2 === 0 ? [0, 10] : [10, 0]) {
      const { hashMs, p50, p50InHashes, refused, loopP99 } = await measure(shareOf, niceness);
      const columns = [hashMs, p50, p50InHashes, refused, loopP99].map((value) =>
        value.toFixed(1).padStart(9),
      );
      process.stdout.write(
        `${from.padEnd(16)} ${String(niceness).padStart(5)} ${columns.join(' ')}\n`,
      );
    }
  }
}
