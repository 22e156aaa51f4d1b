import { connect, type Socket } from 'node:net';
import type { Expected, RequestSource } from './traffic.ts';

const STATUS_AT = 'HTTP/1.1 '.length;
const NO_BODY = 304;

/** A minimal keep-alive connection, with one request at a time. */
export class Connection {
  readonly #port: number;
  readonly #source: RequestSource;
  readonly #expected: Expected;
  #socket: Socket | undefined;
  #text = '';
  #settle: PromiseWithResolvers<void> | undefined;

  constructor(port: number, source: RequestSource, expected: Expected) {
    this.#port = port;
    this.#source = source;
    this.#expected = expected;
    this.#socket = this.#open();
  }

  /** Resolves when the next request has the expected response; false after the last request. */
  async sendNext(): Promise<boolean> {
    const request = this.#source.next();
    if (request === undefined) return false;
    this.#settle = Promise.withResolvers<void>();
    // The other end might have closed an idle connection.
    this.#socket ??= this.#open();
    this.#socket.write(request, 'latin1');
    await this.#settle.promise;
    return true;
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    socket.on('data', (chunk: Buffer) => this.#take(chunk.toString('latin1')));
    socket.on('error', (error) => this.#settle?.reject(error));
    socket.on('close', () => {
      this.#socket = undefined;
      // No effect unless a request is in progress.
      this.#settle?.reject(new Error('the service closed a connection'));
    });
    return socket;
  }

  #take(text: string): void {
    // A server sends 408 on a connection that has had no request for a minute, for example while a JVM warms up.
    if (this.#settle === undefined) return;
    this.#text += text;
    const end = answerEnd(this.#text);
    if (end === undefined || this.#text.length < end) return;
    const answer = this.#text.slice(0, end);
    this.#text = this.#text.slice(end);
    const { status, contains } = this.#expected;
    const statuses = [status].flat();
    const isExpected = statuses.includes(statusOf(answer));
    if (!isExpected || !answer.includes(contains)) {
      this.#settle?.reject(
        new Error(`expected ${statuses.join(' or ')} ${contains}, got:\n${answer}`),
      );
      return;
    }
    this.#source.learn(answer);
    this.#settle?.resolve();
  }
}

function statusOf(answer: string): number {
  return Number(answer.slice(STATUS_AT, STATUS_AT + 3));
}

/** The end of the response; undefined until its head is complete. */
function answerEnd(text: string): number | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const bodyStart = headEnd + 4;
  if (statusOf(text) === NO_BODY) return bodyStart;
  const isChunked = /\r\ntransfer-encoding: chunked\r\n/i.test(text.slice(0, headEnd + 2));
  if (isChunked) return endOfChunks(text, bodyStart);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headEnd + 2))?.[1];
  if (length === undefined) throw new Error(`a response without a length:\n${text}`);
  return bodyStart + Number(length);
}

/** RFC 9112 §7.1; undefined until the last chunk is complete. */
function endOfChunks(text: string, start: number): number | undefined {
  let at = start;
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(text.slice(at, lineEnd), 16);
    at = lineEnd + 2 + size + 2;
    if (size === 0) return at;
  }
}
