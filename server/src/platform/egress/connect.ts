import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { tls } from '../tls.ts';
import type { Destination } from './operator-exceptions.ts';
import { codeOf, EgressError } from './reasons.ts';

/** How long to wait for one of several addresses before trying the next one. */
const ATTEMPT_MS = 1000;

export interface ConnectOptions {
  readonly secureContext: () => SecureContext;
  readonly lookup: LookupFunction;
  readonly connectTimeoutMs: number;
  /** Maximum number of bytes of a response, including headers and framing. */
  readonly maxWireBytes: number;
}

type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/**
 * Opens a socket to a destination. TLS sessions are not resumed, since that would skip the certificate check. `done` is
 * called once; the socket is returned so that it can be counted until it closes.
 */
export function openSocket(destination: Destination, options: ConnectOptions, done: Done): Socket {
  const { hostname, port, isPlain } = destination;
  const common = {
    host: hostname,
    port,
    lookup: options.lookup,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
  };
  const socket = isPlain
    ? connectTcp(common)
    : tls().connect({
        ...common,
        secureContext: options.secureContext(),
        ALPNProtocols: ['http/1.1'],
        // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
        rejectUnauthorized: true,
        // RFC 6066 §3: an IP address is not a server name.
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      });
  limitAnswers(socket, options.maxWireBytes);
  reportOutcome(socket, isPlain, options.connectTimeoutMs, done);
  return socket;
}

/** Opens a socket without TLS. `done` is called once. */
export function openPlainSocket(
  { hostname, port }: Destination,
  lookup: LookupFunction,
  timeoutMs: number,
  done: Done,
): void {
  const socket = connectTcp({
    host: hostname,
    port,
    lookup,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
  });
  reportOutcome(socket, true, timeoutMs, done);
}

function reportOutcome(socket: Socket, isPlain: boolean, timeoutMs: number, done: Done): void {
  let reached = false;
  let isReported = false;
  const timer = setTimeout(() => socket.destroy(new EgressError('timed_out')), timeoutMs);
  socket.once('connect', () => {
    reached = true;
  });
  socket.once(isPlain ? 'connect' : 'secureConnect', () => {
    clearTimeout(timer);
    isReported = true;
    done(null, socket);
  });
  // Remains for the life of the socket: an unhandled error would end the process.
  socket.on('error', (error) => {
    clearTimeout(timer);
    if (isReported) return;
    isReported = true;
    const reason = reached ? 'tls_failed' : 'connect_failed';
    done(error instanceof EgressError ? error : new EgressError(reason, codeOf(error)), null);
  });
}

/**
 * Limits everything received: reason phrases, interim responses, chunk extensions and trailers have no limit of their
 * own. A new request restarts the count.
 */
function limitAnswers(socket: Socket, maxBytes: number): void {
  let written = 0;
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    const { bytesWritten } = socket;
    if (bytesWritten !== written) received = 0;
    written = bytesWritten;
    received += chunk.length;
    if (received > maxBytes) socket.destroy(new EgressError('answer_too_large'));
  });
}
