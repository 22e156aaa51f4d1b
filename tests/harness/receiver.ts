import { once } from 'node:events';
import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Certificate } from './certificate.ts';

export interface ReceiverOptions {
  /** Default 127.0.0.1. */
  readonly address?: string;
  /** Default: a free port. */
  readonly port?: number;
  /** Enables https; default: http. */
  readonly certificate?: Certificate;
}

/** An external HTTP server, on loopback. */
export interface Receiver {
  readonly port: number;
  /** The number of connections so far, including those that failed at TLS. */
  readonly connections: number;
  /** Connections that are open. */
  readonly open: number;
  close(): Promise<void>;
}

export async function startReceiver(
  listener: RequestListener,
  { certificate, ...options }: ReceiverOptions = {},
): Promise<Receiver> {
  return countConnections(
    certificate ? createSecure(certificate, listener) : createPlain(listener),
    options,
  );
}

/** Listens with any TCP server, and counts its connections. */
export async function countConnections(
  server: Server,
  { address = '127.0.0.1', port = 0 }: Omit<ReceiverOptions, 'certificate'> = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The caller under test can close the connection at any time.
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, address);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
