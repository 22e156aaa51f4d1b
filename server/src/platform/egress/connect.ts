import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import type { Destination } from './allow.ts';
import { codeOf, EgressError } from './reasons.ts';

/** How long one of several addresses is waited for before the next one is tried. */
const ATTEMPT_MS = 1000;

export interface ConnectOptions {
  readonly secureContext: SecureContext;
  readonly lookup: LookupFunction;
  readonly connectTimeoutMs: number;
  /** Most bytes of one answer, with everything around its body. */
  readonly maxWireBytes: number;
}

type Done = (...result: [error: null, socket: Socket] | [error: Error, socket: null]) => void;

/**
 * Opens a socket to a destination. Sessions of TLS are not taken up again, since that would skip the look at the
 * certificate. The outcome is told once; the socket is returned to be counted until it is closed.
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
    : connectTls({
        ...common,
        secureContext: options.secureContext,
        ALPNProtocols: ['http/1.1'],
        // Said, so that NODE_TLS_REJECT_UNAUTHORIZED can't turn it off.
        rejectUnauthorized: true,
        // RFC 6066 §3: an address is not a server name.
        ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
      });
  limitAnswers(socket, options.maxWireBytes);
  reportOutcome(socket, isPlain, options.connectTimeoutMs, done);
  return socket;
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
  // Stays for the life of the socket: an error that nobody listens for ends the process.
  socket.on('error', (error) => {
    clearTimeout(timer);
    if (isReported) return;
    isReported = true;
    const reason = reached ? 'tls_failed' : 'connect_failed';
    done(error instanceof EgressError ? error : new EgressError(reason, codeOf(error)), null);
  });
}

/**
 * What stands around a body (reason phrases, interim answers, chunk extensions, trailers) has no end by itself. A
 * request that is written starts the count anew.
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
