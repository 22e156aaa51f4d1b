// Receives deliveries in a separate process, so that its work is not counted. The path selects the behavior.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival, Delivery, ReceiverAnswer, ReceiverCommand } from './receiver.ts';

const SLOW_MS = 5000;
const CONNECTION_HEADERS = ['host', 'connection', 'content-length'];

let arrivals: Arrival[] = [];
let count = 0;
let keeps = false;
let last: Delivery | undefined;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { url: path = '', headers } = request;
    // Never responds.
    if (path.startsWith('/dead')) return;
    count += 1;
    last = { headers: deliveryHeaders(request.rawHeaders), body: Buffer.concat(chunks).toString() };
    if (keeps) {
      arrivals.push({
        path,
        eventId: String(headers['webhook-id']),
        atMicros: Number(process.hrtime.bigint() / 1000n),
        body: path.startsWith('/read') ? last.body : '',
      });
    }
    setTimeout(() => response.end('ok'), path.startsWith('/slow') ? SLOW_MS : 0).unref();
  });
});
server.keepAliveTimeout = 60_000;

process.on('disconnect', () => process.exit());
process.on('message', (command: ReceiverCommand) => {
  if (command.kind === 'keep') keeps = command.keeps;
  const answer: ReceiverAnswer = { port: portOf(), count, last, arrivals };
  if (command.kind === 'take') arrivals = [];
  process.send?.(command.kind === 'take' ? answer : { ...answer, arrivals: [] });
});
// On every loopback address: each is a separate host to the service.
server.listen(0, '0.0.0.0', 4096, () =>
  process.send?.({ port: portOf(), count, last, arrivals: [] }),
);

/** Names and values of headers, without those that an HTTP client sets itself. */
function deliveryHeaders(raw: readonly string[]): string[] {
  return raw.flatMap((name, at) =>
    at % 2 === 1 || CONNECTION_HEADERS.includes(name.toLowerCase())
      ? []
      : [name, raw[at + 1] ?? ''],
  );
}

function portOf(): number {
  return (server.address() as AddressInfo).port;
}
