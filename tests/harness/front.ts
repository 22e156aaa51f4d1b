import {
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** What stands between a service and those who ask it: it counts, goes down, and puts other bytes in place. */
export interface Front {
  readonly url: string;
  /** Where connections are led from now on. */
  service: string;
  /** The paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** What is answered in place of what the service says, by path. */
  readonly instead: Map<string, Handle>;
  /** Cuts every connection; new ones are refused. */
  goDown(): Promise<void>;
  /** At the address of before. */
  goUp(): Promise<void>;
}

export async function startFront(service: string): Promise<Front> {
  const asked: string[] = [];
  const instead = new Map<string, Handle>();
  let server: Server | undefined;
  let port = 0;
  const front: Front = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    service,
    asked,
    instead,
    async goUp() {
      server = createServer((incoming, response) => {
        const path = incoming.url ?? '';
        asked.push(path);
        (instead.get(path) ?? passOn)(incoming, response);
      });
      await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
      ({ port } = server.address() as AddressInfo);
    },
    async goDown() {
      const closed = new Promise((resolve) => server?.close(resolve));
      server?.closeAllConnections();
      await closed;
    },
  };

  function passOn(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers } = incoming;
    const outgoing = send(new URL(incoming.url ?? '', front.service), {
      method,
      headers,
      agent: false,
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  }

  await front.goUp();
  return front;
}

/** Answers with recorded bytes. */
export function answering(type: string, text: string): Handle {
  return (_incoming, response) => response.writeHead(200, { 'content-type': type }).end(text);
}
