import type { Row, Scene } from '../rows/row.ts';
import type { Peers } from '../target/peers.ts';
import { type Service, startService } from '../target/service.ts';
import type { Bench } from './bench.ts';
import type { Party, PeerName, PeerTraffic } from './party.ts';
import { Stage } from './stage.ts';

/** A process that a row is measured on: the service or a peer. */
export interface Contender {
  readonly party: Party;
  readonly pid: number;
  readonly stage: Stage;
  close(): Promise<void>;
}

/** Opens the service, then the peers that support this row. */
export async function openContenders(bench: Bench, row: Row): Promise<Contender[]> {
  const contenders = [await openService(bench, row, {})];
  try {
    for (const [name, traffic] of Object.entries(row.peers ?? {})) {
      const peer = await bench.peers.find(name as PeerName);
      if (peer) contenders.push(await openPeer(connectionsOf(bench, row), peer, traffic));
    }
  } catch (error) {
    for (const contender of contenders) await contender.close();
    throw error;
  }
  return contenders;
}

/** @param env additional settings */
export async function openService(
  bench: Bench,
  row: Row,
  env: Readonly<Record<string, string>>,
  program?: string,
): Promise<Contender> {
  const service = await startService({ ...bench.env, ...row.env, ...env }, undefined, program);
  const stage = await Stage.open({
    port: service.port,
    isFresh: row.isFresh ?? false,
    traffic: (requests) => row.traffic(sceneOf(bench, row, service, requests)),
    probes: row.probes?.(sceneOf(bench, row, service, 0)) ?? {},
  }).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  return {
    party: bench.database.engine === 'embedded' ? 'keywright-embedded' : 'keywright',
    pid: service.pid,
    stage,
    async close() {
      stage.close();
      await service.stop();
    },
  };
}

type Peer = NonNullable<Awaited<ReturnType<Peers['find']>>>;

/** A peer keeps running after the row: it is seeded once per run. */
async function openPeer(connections: number, peer: Peer, traffic: PeerTraffic): Promise<Contender> {
  const stage = await Stage.open({
    port: peer.port,
    isFresh: false,
    traffic: () => traffic(peer.filling, connections),
    probes: {},
  });
  return { party: peer.name, pid: peer.pid, stage, close: async () => stage.close() };
}

function sceneOf(bench: Bench, row: Row, { url }: Service, requests: number): Scene {
  const { seed, env, database } = bench;
  const connections = connectionsOf(bench, row);
  return { seed, url, connections, requests, env, query: (...args) => database.query(...args) };
}

function connectionsOf({ options }: Bench, row: Row): number {
  return row.connections ?? options.connections;
}
