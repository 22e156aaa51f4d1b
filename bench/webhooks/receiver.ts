import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { until } from '@keywright/tests/harness/until';

const PROGRAM = fileURLToPath(new URL('receiver-process.ts', import.meta.url));
const PATIENCE_MS = 120_000;

export interface Arrival {
  readonly path: string;
  readonly eventId: string;
  /** When the delivery was received, by the monotonic clock, which processes share. */
  readonly atMicros: number;
  /** The body, for paths that start with /read; empty for others. */
  readonly body: string;
}

/** A request as it was received. */
export interface Delivery {
  /** Alternating names and values, without those that belong to the connection. */
  readonly headers: string[];
  readonly body: string;
}

export type ReceiverCommand =
  | { readonly kind: 'count' | 'take' }
  | { readonly kind: 'keep'; readonly keeps: boolean };

export interface ReceiverAnswer {
  readonly port: number;
  readonly count: number;
  readonly last: Delivery | undefined;
  readonly arrivals: readonly Arrival[];
}

/** Endpoints. Paths that start with /dead never respond, those with /slow after five seconds. */
export interface Receiver {
  /** An endpoint; hosts with different numbers have different addresses. */
  url(path: string, host?: number): string;
  /** The number of deliveries, except those to /dead. */
  count(): Promise<number>;
  waitFor(count: number): Promise<void>;
  /** The most recent delivery. */
  last(): Promise<Delivery | undefined>;
  /** Whether to store deliveries from now on; initially it only counts them. */
  keep(keeps: boolean): Promise<void>;
  /** Stored deliveries since the last call. */
  take(): Promise<readonly Arrival[]>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const child = fork(PROGRAM, { serialization: 'advanced', execArgv: [] });
  const next = async () => ((await once(child, 'message')) as [ReceiverAnswer])[0];
  const { port } = await next();
  async function send(command: ReceiverCommand): Promise<ReceiverAnswer> {
    const answer = next();
    child.send(command);
    return answer;
  }
  const count = async () => (await send({ kind: 'count' })).count;
  return {
    url: (path, host = 0) => `http://127.1.${host >> 7}.${(host & 127) + 1}:${port}${path}`,
    count,
    waitFor: async (expected) => {
      await until(`${expected} deliveries`, async () => (await count()) >= expected, PATIENCE_MS);
    },
    last: async () => (await send({ kind: 'count' })).last,
    keep: async (keeps) => {
      await send({ kind: 'keep', keeps });
    },
    take: async () => (await send({ kind: 'take' })).arrivals,
    close: () => child.disconnect(),
  };
}

export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
