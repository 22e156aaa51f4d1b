import type { Socket } from 'node:net';
import { Cache } from '../cache/cache.ts';
import { lazy } from '../lazy.ts';
import { tls } from '../tls.ts';
import { VERSION } from '../version.ts';
import type { EgressAllow } from './operator-exceptions.ts';
import { Exchange } from './exchange.ts';
import { createDial, describeObjection, type MailServerAddress } from './mail-servers.ts';
import { type JudgedUrl, findObjection, judgeUrl } from './address-rules.ts';
import { type EgressLimits, OriginPools } from './origin-pools.ts';
import { createFindTexts, Names } from './names.ts';
import { type EgressOutcome, type Unanswered, unanswered } from './outcome.ts';
import { EgressError } from './reasons.ts';

export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  /** Absolute, at most 2,048 characters, without credentials. Its addresses are checked when connecting. */
  readonly url: string;
  /** The party that the call serves, such as a tenant. Calls never wait for connections used for another party. */
  readonly onBehalfOf?: string;
  /** Must not contain the headers that the egress sets itself: see RESERVED_HEADERS. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Timeout for the whole call, including DNS and connecting; at most 60,000. */
  readonly timeoutMs: number;
  /** Maximum size of the response body; at most 1 MiB. A longer body fails as `answer_too_large`. */
  readonly maxBytes: number;
  /** Truncates a longer body instead, and returns as soon as enough has been received. */
  readonly truncate?: boolean;
}

/** Outgoing calls: every call to an address that a user or tenant chose goes through here. */
export interface Egress {
  /** Makes a call. Never throws because of the peer. */
  send(request: EgressRequest): Promise<EgressOutcome>;
  /**
   * Returns why a URL would always be refused, as far as can be determined without DNS; for immediate feedback on
   * input. Undefined if the URL can be called.
   */
  findObjection(url: string): Unanswered | undefined;
  /**
   * Opens a connection to a mail server, without TLS so far; within 10 seconds.
   * @throws EgressError
   */
  connect(server: MailServerAddress): Promise<Socket>;
  /** Returns the TXT records of a DNS name; empty if it has none. @throws EgressError if no server responds */
  findTexts(name: string): Promise<readonly string[]>;
  /** Returns the objection to a mail server, as `findObjection` does for URLs. */
  findObjectionToServer(server: MailServerAddress): string | undefined;
  /** PEM, instead of the certificate authorities of Node.js. */
  readonly ca: string | undefined;
  /** Ends pending calls as `closed`, and closes every connection. */
  close(): Promise<void>;
}

export interface EgressOptions {
  /** Destinations that are allowed although they are not public; see parseEgressAllow. */
  readonly allow: EgressAllow;
  /** PEM, instead of the certificate authorities of Node.js. */
  readonly ca?: string;
  /** `address:port`; replaces the system's DNS servers. */
  readonly dnsServers?: readonly string[];
  readonly limits?: Partial<EgressLimits>;
}

// An open TLS socket takes about 200 KB, so these limits stay below 100 MB.
const LIMITS: EgressLimits = {
  calls: 512,
  // As many as sockets: a call that waits for a socket would lose time before it is sent.
  callsPerOrigin: 32,
  sockets: 512,
  socketsPerOrigin: 32,
  connectTimeoutMs: 5000,
  connectionLifeMs: 60_000,
};

const MAX_TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum number of cached parsed URLs, of at most 2 KiB each. */
const MAX_JUDGED = 2000;

/** Headers set here or by the connection. `Host` would also choose the name that the certificate is checked against. */
export const RESERVED_HEADERS: readonly string[] = [
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
];

// Responses are not decompressed, so compression is not accepted.
const STANDING_HEADERS = ['user-agent', `Keywright/${VERSION}`, 'accept-encoding', 'identity'];

/** The egress itself. EgressWhenUsed loads it with the first call. */
export class LoadedEgress implements Egress {
  readonly #options: EgressOptions;
  readonly #pools: OriginPools;
  /** Parsed URLs: addresses are checked when connecting. */
  readonly #judged = new Cache<string, JudgedUrl>(MAX_JUDGED);
  #isClosed = false;
  readonly connect: Egress['connect'];
  readonly findTexts: Egress['findTexts'];

  constructor(options: EgressOptions) {
    const { allow, ca, dnsServers } = options;
    this.#options = options;
    const names = new Names(allow, dnsServers);
    const secureContext = lazy(() => tls().createSecureContext(ca === undefined ? {} : { ca }));
    this.#pools = new OriginPools(names, secureContext, { ...LIMITS, ...options.limits });
    this.connect = createDial(options);
    this.findTexts = createFindTexts(options);
  }

  get ca(): string | undefined {
    return this.#options.ca;
  }

  send(request: EgressRequest): Promise<EgressOutcome> {
    const url = this.#judge(request.url);
    if (url instanceof EgressError) return refuse(url);
    const headers = headersOf(request.headers);
    if (!headers) return refuse(new EgressError('request_invalid'));
    if (this.#isClosed) return refuse(new EgressError('closed'));
    const originPool = this.#pools.enter(url, request.onBehalfOf);
    if (!originPool) return refuse(new EgressError('too_busy'));
    const exchange = new Exchange({
      timeoutMs: Math.min(request.timeoutMs, MAX_TIMEOUT_MS),
      maxBytes: Math.min(request.maxBytes, MAX_BODY_BYTES),
      truncate: request.truncate ?? false,
      onEnd: () => this.#pools.release(originPool),
    });
    const { method, body = null } = request;
    originPool.pool.dispatch({ path: url.path, method, headers, body }, exchange);
    return exchange.outcome;
  }

  findObjection(url: string): Unanswered | undefined {
    return findObjection(this.#options.allow, url);
  }

  findObjectionToServer(server: MailServerAddress): string | undefined {
    return describeObjection(this.#options.allow, server);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pools.close();
  }

  #judge(text: string): JudgedUrl | EgressError {
    const judged = this.#judged.get(text);
    if (judged) return judged;
    const url = judgeUrl(this.#options.allow, text);
    if (!(url instanceof EgressError)) this.#judged.set(text, url);
    return url;
  }
}

function refuse(error: EgressError): Promise<EgressOutcome> {
  return Promise.resolve(unanswered(error));
}

function headersOf(fields: Readonly<Record<string, string>> = {}): string[] | undefined {
  const headers = [...STANDING_HEADERS];
  for (const [name, value] of Object.entries(fields)) {
    if (RESERVED_HEADERS.includes(name.toLowerCase())) return undefined;
    headers.push(name, value);
  }
  return headers;
}
