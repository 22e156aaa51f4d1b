import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

/** A request that is under way until the test lets it end. */
export interface HeldRequest {
  /** Sends the rest of the body. @returns the answer. */
  finish(): Promise<{ readonly status: number; readonly connection: string | undefined }>;
  /** Waits until the other side breaks the connection. */
  broken(): Promise<unknown>;
}

/** Sends a request up to the last character of its body, and waits until the service is at work on it. */
export async function holdRequest(url: string, path: string, body: unknown): Promise<HeldRequest> {
  const text = JSON.stringify(body);
  const outgoing = request(`${url}/api/sso/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      // The service says so when it has read the head of the request.
      expect: '100-continue',
    },
  });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // Awaited later, if at all.
  answered.catch(() => {});
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.write(text.slice(0, -1));
  return {
    async finish() {
      outgoing.end(text.slice(-1));
      const [incoming] = await answered;
      incoming.resume();
      await once(incoming, 'end');
      return { status: incoming.statusCode ?? 0, connection: incoming.headers.connection };
    },
    broken: () =>
      answered.then(
        () => undefined,
        (error: unknown) => error,
      ),
  };
}

/** What is answered to a request whose head was held. */
interface LateAnswer {
  readonly status: number;
  readonly connection: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Connects and sends the head of a request except its last line, so that the request is made on a connection from
 * before, however late.
 */
export async function holdHead(
  url: string,
  path: string,
): Promise<{ finish(): Promise<LateAnswer> }> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n`);
  return {
    async finish() {
      socket.write('\r\n');
      const [head = '', body = ''] = (await readAll(socket)).split('\r\n\r\n');
      return {
        status: Number(head.split(' ')[1]),
        connection: /^connection: (.*)$/im.exec(head)?.[1]?.trim(),
        body: JSON.parse(body),
      };
    },
  };
}
