// CPU time of an outgoing POST through the guard, and by undici and fetch without one.
// node bench/egress/main.ts

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseEgressAllow } from '@keywright/server/platform/egress/operator-exceptions';
import { LoadedEgress } from '@keywright/server/platform/egress/egress';
import { Agent, fetch, request } from 'undici';
import { median } from '../measure/statistics.ts';
import { CLOSING, HOSTS, type Receivers } from './receiver-process.ts';

const ROUNDS = 7;
const CALLS = 4000;
const CALLS_WITH_HANDSHAKE = 400;
const TIMEOUT_MS = 15_000;

const BODY = JSON.stringify({ id: 'evt_01', data: 'x'.repeat(450) });
const HEADERS = {
  'content-type': 'application/json',
  'webhook-id': 'evt_01',
  'webhook-timestamp': '1700000000',
  'webhook-signature': `v1,${'a'.repeat(44)}`,
  'x-service-signature': 'b'.repeat(64),
};

const child = fork(new URL('./receiver-process.ts', import.meta.url));
const [receivers] = (await once(child, 'message')) as [Receivers];

const egress = new LoadedEgress({
  allow: parseEgressAllow('127.0.0.1').allow,
  ca: receivers.ca,
  dnsServers: [receivers.dns],
});
const agent = new Agent({
  allowH2: false,
  connections: 16,
  connect: {
    ca: receivers.ca,
    lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  },
});

type Send = (url: string) => Promise<unknown>;

const SENDERS: Readonly<Record<string, Send>> = {
  async egress(url) {
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: 1024, truncate: true };
    const got = await egress.send({ method: 'POST', url, headers: HEADERS, body: BODY, ...limits });
    if (got.outcome !== 'answered') throw new Error(got.detail);
  },
  async 'undici request'(url) {
    const options = { method: 'POST', headers: HEADERS, body: BODY, dispatcher: agent } as const;
    const { body } = await request(url, { ...options, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await body.arrayBuffer();
  },
  async fetch(url) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const options = { method: 'POST', headers: HEADERS, body: BODY, dispatcher: agent, signal };
    const response = await fetch(url, options);
    await response.arrayBuffer();
  },
};

interface Case {
  readonly title: string;
  readonly urls: readonly string[];
  readonly parallel: number;
  readonly calls: number;
}

function urlsOf(scheme: 'http' | 'https', hosts: readonly string[], path = '/'): string[] {
  return hosts.map((host) => `${scheme}://${host}:${receivers[scheme]}${path}`);
}

const SINGLE_HOST = HOSTS.slice(0, 1);
const CASES: readonly Case[] = [
  { title: 'http, 1 host', urls: urlsOf('http', SINGLE_HOST), parallel: 16, calls: CALLS },
  { title: 'http, 200 hosts', urls: urlsOf('http', HOSTS), parallel: 64, calls: CALLS },
  { title: 'https, 1 host', urls: urlsOf('https', SINGLE_HOST), parallel: 16, calls: CALLS },
  { title: 'https, 200 hosts', urls: urlsOf('https', HOSTS), parallel: 64, calls: CALLS },
  {
    title: 'https, a handshake each',
    urls: urlsOf('https', HOSTS, CLOSING),
    parallel: 8,
    calls: CALLS_WITH_HANDSHAKE,
  },
];

async function run(send: Send, { urls, parallel }: Case, calls: number): Promise<void> {
  let sent = 0;
  const sender = async () => {
    while (sent < calls) {
      const url = urls[sent % urls.length] ?? '';
      sent += 1;
      await send(url);
    }
  };
  await Promise.all(Array.from({ length: parallel }, sender));
}

/** CPU microseconds of one call, including all threads. */
async function measure(send: Send, testCase: Case): Promise<number> {
  await run(send, testCase, testCase.calls / 5);
  const before = process.cpuUsage();
  await run(send, testCase, testCase.calls);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / testCase.calls;
}

for (const testCase of CASES) {
  const micros: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, send] of Object.entries(SENDERS)) {
      (micros[name] ??= []).push(await measure(send, testCase));
    }
  }
  const figures = Object.entries(micros).map(
    ([name, all]) => `${name} ${median(all).toFixed(0)} (${Math.min(...all).toFixed(0)})`,
  );
  console.log(`${testCase.title.padEnd(24)} ${figures.join(', ')}`);
}

await egress.close();
await agent.destroy();
child.kill();
