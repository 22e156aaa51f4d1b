import type { IncomingHttpHeaders } from 'node:http';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import { until } from './until.ts';

/** A received delivery. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A webhook endpoint that records deliveries. */
export interface Inbox {
  /** By its address on loopback. */
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** The status of further responses; default 200. */
  answer: number;
  /** Waits for this many deliveries at this path. */
  wait(count: number, path?: string): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export async function openInbox(options: ReceiverOptions = {}): Promise<Inbox> {
  const received: Received[] = [];
  const receiver: Receiver = await startReceiver((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      received.push({ path, headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(inbox.answer, { 'content-type': 'text/plain' }).end('noted');
    });
  }, options);
  const inbox: Inbox = {
    url: `${options.certificate ? 'https' : 'http'}://127.0.0.1:${receiver.port}`,
    port: receiver.port,
    received,
    answer: 200,
    wait: (count, path) =>
      until(`${count} deliveries at ${path ?? 'any path'}`, () => {
        const here = received.filter((delivery) => path === undefined || delivery.path === path);
        return here.length >= count && here;
      }),
    close: () => receiver.close(),
  };
  return inbox;
}
