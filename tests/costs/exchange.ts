import { Agent, request as send } from 'node:http';
import type { Socket } from 'node:net';

export interface HttpRequest {
  readonly method: string;
  /** The full path, with /api/sso/v1. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly etag: string | undefined;
  /** The size of the status line, the headers and the body, as received on the socket. */
  readonly bytes: number;
}

/** Sends requests sequentially over one persistent connection. */
export class PersistentConnection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: URL;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async request({ method, path, headers, body }: HttpRequest): Promise<Answered> {
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const outgoing = send({ agent: this.#agent, hostname, port, method, path, headers });
      let socket: Socket | undefined;
      let before = 0;
      outgoing.on('socket', (assigned) => {
        socket = assigned;
        before = assigned.bytesRead;
      });
      outgoing.on('error', reject);
      outgoing.on('response', (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            etag: incoming.headers.etag,
            bytes: (socket?.bytesRead ?? 0) - before,
          }),
        );
      });
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
