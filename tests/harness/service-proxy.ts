import {
  createServer,
  type IncomingMessage,
  request as send,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** A proxy before a service that records requests, can be taken down, and can override responses. */
export interface ServiceProxy {
  readonly url: string;
  /** The service to forward further requests to. */
  service: string;
  /** The requested paths, in order. */
  readonly requestedPaths: readonly string[];
  /** Overriding responses, by path. */
  readonly instead: Map<string, Handle>;
  /** Cuts every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** At the same address. */
  goUp(): Promise<void>;
}

export async function startServiceProxy(service: string): Promise<ServiceProxy> {
  const requestedPaths: string[] = [];
  const instead = new Map<string, Handle>();
  let server: Server | undefined;
  let port = 0;
  const proxy: ServiceProxy = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    service,
    requestedPaths,
    instead,
    async goUp() {
      server = createServer((incoming, response) => {
        const path = incoming.url ?? '';
        requestedPaths.push(path);
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
    const outgoing = send(new URL(incoming.url ?? '', proxy.service), {
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

  await proxy.goUp();
  return proxy;
}

/** Answers with recorded bytes. */
export function answering(type: string, text: string): Handle {
  return (_incoming, response) => response.writeHead(200, { 'content-type': type }).end(text);
}
