// `npm run bench:sdk`: the cost of the SDK's verifier, compared with a bare Ed25519 verification in the same rounds.

import { LOOPS } from './floor/loops.ts';
import { median, spread } from './measure/statistics.ts';
import { createVerifier, type Verifier } from '../sdk/src/sdk.ts';
import { TestIssuer } from '../sdk/test/issuer.ts';

const ROUNDS = 9;
const TOKENS = 2000;
const FLOOR_MS = 300;
const MEBIBIT_LISTS = 8;
const LIST_BYTES = 16_384;

interface Measured {
  readonly name: string;
  /** The bar: at most so many times the cost of a bare verification. */
  readonly floorTimes?: number;
  readonly run: (round: number) => Promise<Cost>;
}

/** CPU microseconds of one operation: of all threads, and of the main thread. */
interface Cost {
  readonly all: number;
  readonly main: number;
}

async function costOf(times: number, work: (index: number) => Promise<unknown>): Promise<Cost> {
  const before = process.cpuUsage();
  const mainBefore = process.threadCpuUsage();
  for (let index = 0; index < times; index += 1) await work(index);
  const main = process.threadCpuUsage(mainBefore);
  const all = process.cpuUsage(before);
  return { all: (all.user + all.system) / times, main: (main.user + main.system) / times };
}

async function measureFloor(): Promise<number> {
  const loop = LOOPS.verify();
  const before = process.cpuUsage();
  const done = await loop(performance.now() + FLOOR_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / done;
}

/** A new string, as for each request to a server. */
function headerOf(token: string): string {
  return Buffer.from(`Bearer ${token}`).toString();
}

function tokensOf(issuer: TestIssuer, first: number, count: number): string[] {
  const roles = ['admin', 'member'];
  const scopes = ['read:users', 'write:users', 'read:reports'];
  return Array.from({ length: count }, (_, index) =>
    issuer.mint({ roles, scopes, ...issuer.status.claim(first + index) }),
  );
}

function rowsOf(issuer: TestIssuer, verifier: Verifier): Measured[] {
  const { status } = issuer;
  const batches = Array.from({ length: ROUNDS + 1 }, (_, round) =>
    tokensOf(issuer, round * TOKENS, TOKENS),
  );
  const revoked = tokensOf(issuer, 100_000, TOKENS);
  status.revoke(
    0,
    revoked.map((_, index) => 100_000 + index),
  );
  const headers = (round: number) => (batches[round] ?? []).map(headerOf);
  const verify = (header: string | undefined) =>
    verifier.authenticate(header, { scopes: 'read:reports' });
  return [
    {
      name: 'verify, a new token',
      floorTimes: 1.5,
      run: (round) => {
        const all = headers(round);
        return costOf(TOKENS, (index) => verify(all[index]));
      },
    },
    {
      name: 'verify, a token seen before',
      floorTimes: 0.06,
      run: (round) => {
        const all = Array.from({ length: 10 }, () => headers(round)).flat();
        return costOf(all.length, (index) => verify(all[index]));
      },
    },
    {
      name: 'reject, a revoked token',
      run: () => costOf(TOKENS, (index) => verify(`Bearer ${revoked[index]}`).catch(() => {})),
    },
  ];
}

/** Measures the memory of 1,048,576 bits: buffers outside the heap, and the verifier's own report. */
async function measureMemory(issuer: TestIssuer, verifier: Verifier): Promise<string> {
  const before = process.memoryUsage().arrayBuffers;
  for (let shard = 1; shard < MEBIBIT_LISTS; shard += 1) {
    issuer.status.bits.set(shard, new Uint8Array(LIST_BYTES));
    await verifier.verify(issuer.mint(issuer.status.claim(1, shard)));
  }
  const { lists, bytes } = verifier.state().revocations ?? { lists: 0, bytes: 0 };
  const grown = process.memoryUsage().arrayBuffers - before;
  return (
    `${lists} lists of ${LIST_BYTES * 8} bits take ${bytes} bytes; the process's buffers, including those of the ` +
    `issuer and of seven responses, grew by ${(grown / 1e6).toFixed(2)} MB`
  );
}

const issuer = new TestIssuer();
await issuer.goUp();
issuer.status.heartbeatMs = 5000;
const verifier = createVerifier({ issuer: issuer.name, maxRememberedTokens: 50_000 });
const rows = rowsOf(issuer, verifier);
for (const { run } of rows) await run(ROUNDS);
const requestsBefore = issuer.requestedPaths.length;

const floors: number[] = [];
const results = rows.map((): Cost[] => []);
for (let round = 0; round < ROUNDS; round += 1) {
  floors.push(await measureFloor());
  for (const [index, { run }] of rows.entries()) results[index]?.push(await run(round));
}
const bare = median(floors);
console.log(
  `Node.js ${process.version}, medians of ${ROUNDS} rounds of ${TOKENS} tokens, CPU microseconds\n` +
    `bare Ed25519 verification ${bare.toFixed(1)}\n`,
);
for (const [index, { name, floorTimes }] of rows.entries()) {
  const costs = results[index] ?? [];
  const all = costs.map((cost) => cost.all);
  const bar = floorTimes === undefined ? '' : ` (bar ${floorTimes})`;
  console.log(
    `${name.padEnd(28)}${median(all).toFixed(1).padStart(6)}, ${(median(all) / bare).toFixed(2)} times ` +
      `a bare verification${bar}; of that on the main thread ` +
      `${median(costs.map(({ main }) => main)).toFixed(1)}; spread ${(spread(all) * 100).toFixed(0)} %`,
  );
}
console.log(
  `\nrequests to the service during the run: ${issuer.requestedPaths.length - requestsBefore}`,
);
console.log(await measureMemory(issuer, verifier));
verifier.close();
await issuer.goDown();
