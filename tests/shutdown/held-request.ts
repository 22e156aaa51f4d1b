import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

/** A request that is under way until the test lets it end. */
export interface PendingRequest {
  /** Sends the rest of the body. @returns the response. */
  finish(): Promise<{ readonly status: number; readonly connection: string | undefined }>;
  /** Waits until the service closes the connection. */
  broken(): Promise<unknown>;
}

/** Sends a request up to the last character of its body, and waits until the service is at work on it. */
export async function holdRequest(
  url: string,
  path: string,
  body: unknown,
): Promise<PendingRequest> {
  const text = JSON.stringify(body);
  const outgoing = request(`${url}/api/sso/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      // The service responds with 100 Continue once it has read the head of the request.
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

/** The response to a held request; header names are in lower case. */
interface LateAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/**
 * Connects and sends a request except its last character, so that it completes on an existing connection, however late.
 * @param text as in RFC 9112
 */
export async function holdWhole(
  url: string,
  text: string,
): Promise<{ finish(): Promise<LateAnswer> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(text.slice(0, -1));
  return {
    async finish() {
      socket.write(text.slice(-1));
      const [head = '', ...rest] = (await readAll(socket)).split('\r\n\r\n');
      const [line = '', ...fields] = head.split('\r\n');
      const headers = fields.map((field) => {
        const at = field.indexOf(':');
        return [field.slice(0, at).toLowerCase(), field.slice(at + 1).trim()];
      });
      return {
        status: Number(line.split(' ')[1]),
        headers: Object.fromEntries(headers),
        text: rest.join('\r\n\r\n'),
      };
    },
  };
}

/** The same for a request without a body. */
export function holdHead(url: string, path: string): ReturnType<typeof holdWhole> {
  return holdWhole(url, `GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n\r\n`);
}
