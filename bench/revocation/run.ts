import { setTimeout as pause } from 'node:timers/promises';
import type { Bench } from '../measure/bench.ts';
import type { Output } from '../report/output.ts';
import { conditionsOf } from '../report/record.ts';
import { createMachines, type Machine } from '../target/machines.ts';
import type { Person } from '../target/seed.ts';
import { type Service, startService } from '../target/service.ts';
import { type Client, expectStatus, openClient } from '../tenants/client.ts';

/** As `--row` names it. */
export const REVOCATION = 'api-key-revocation';

const NODES = 2;
const IN_USE = 64;
const REVOKED_EVERY_MS = 10;
/** How long a key is still tried after its revocation. */
const TRIED_MS = 100;

/** A key under load. */
interface KeyInUse extends Machine {
  /** When the revocation was requested, and when its response was received. */
  revoking?: number;
  revoked?: number;
}

interface Revocations {
  readonly uses: number;
  readonly revocations: number;
  /** Uses that started after the response to the revocation and were rejected. */
  readonly rejectedAfter: number;
  /** Uses that started after that response and were accepted: must be 0. */
  readonly acceptedAfter: number;
  /** Rejected uses of keys whose revocation had not been requested: must be 0. */
  readonly rejectedBefore: number;
}

/** Revokes keys while all are in use on two nodes, and counts uses that were accepted too late. */
export async function runRevocation(bench: Bench, output: Output): Promise<void> {
  output.say(REVOCATION);
  const services = [await startService(bench.env), await startService(bench.env)];
  try {
    const { seconds, rounds } = bench.options;
    const found = await measure(bench, services, seconds * rounds * 1000);
    output.record({ ...conditionsOf(bench), row: REVOCATION, ...found });
    console.log(describe(found));
    if (found.acceptedAfter + found.rejectedBefore > 0) process.exitCode = 1;
  } finally {
    for (const service of services) await service.stop();
  }
}

async function measure(
  bench: Bench,
  services: readonly Service[],
  milliseconds: number,
): Promise<Revocations> {
  const { seed, options } = bench;
  const { connections } = options;
  const count = IN_USE + Math.ceil(milliseconds / REVOKED_EVERY_MS);
  const scene = { seed, url: (services[0] as Service).url, connections, requests: 0 };
  const spare: KeyInUse[] = await createMachines(scene, count);
  const inUse = spare.splice(0, IN_USE);
  const tally = { uses: 0, revocations: 0, rejectedAfter: 0, acceptedAfter: 0, rejectedBefore: 0 };
  const end = performance.now() + milliseconds;
  const clients = Array.from({ length: connections + NODES }, (_, index) =>
    openClient((services[index % NODES] as Service).port, seed.tenantId),
  );
  const users = clients.slice(NODES).map(async (client) => {
    while (performance.now() < end) await use(client, inUse, tally);
  });
  const revoker = revokeInTurn(
    clients.slice(0, NODES),
    seed.people[0] as Person,
    end,
    inUse,
    spare,
  );
  [tally.revocations] = await Promise.all([revoker, ...users]);
  for (const client of clients) client.close();
  return tally;
}

type Tally = { -readonly [Name in keyof Revocations]: number };

async function use(client: Client, inUse: readonly KeyInUse[], tally: Tally): Promise<void> {
  const key = inUse[Math.floor(Math.random() * inUse.length)] as KeyInUse;
  const startedAt = performance.now();
  const { status } = await client.send('GET', '/me', { token: key.key });
  tally.uses += 1;
  const isAfter = key.revoked !== undefined && key.revoked <= startedAt;
  if (status === 200 && isAfter) tally.acceptedAfter += 1;
  if (status !== 200 && isAfter) tally.rejectedAfter += 1;
  if (status !== 200 && key.revoking === undefined) tally.rejectedBefore += 1;
}

/** One key after another, on alternating nodes. A new key replaces it shortly after. */
async function revokeInTurn(
  clients: readonly Client[],
  admin: Person,
  end: number,
  inUse: KeyInUse[],
  spare: KeyInUse[],
): Promise<number> {
  let revoked = 0;
  while (performance.now() < end && spare.length > 0) {
    const place = revoked % inUse.length;
    const key = inUse[place] as KeyInUse;
    const client = clients[revoked % clients.length] as Client;
    key.revoking = performance.now();
    const question = { token: admin.accessToken };
    expectStatus(await client.send('DELETE', `/apikeys/${key.keyId}`, question), 200);
    key.revoked = performance.now();
    revoked += 1;
    const next = spare.pop() as KeyInUse;
    void pause(TRIED_MS).then(() => {
      inUse[place] = next;
    });
    await pause(REVOKED_EVERY_MS);
  }
  return revoked;
}

function describe(found: Revocations): string {
  const { uses, revocations, rejectedAfter, acceptedAfter, rejectedBefore } = found;
  return (
    `\n${REVOCATION}: ${uses} uses on ${NODES} nodes, ${revocations} keys revoked\n` +
    `  uses after the response to the revocation: ${rejectedAfter} rejected, ${acceptedAfter} accepted\n` +
    `  rejected before the revocation was requested: ${rejectedBefore}`
  );
}
