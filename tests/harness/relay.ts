import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP relay that can silently stop forwarding, like a lost network. */
export interface Relay {
  readonly port: number;
  /** The port to which new connections are forwarded. */
  target: number;
  /** Drops all bytes of existing connections in both directions permanently, including FIN. */
  cutSilently(): void;
  /** Accepts new connections but drops their bytes, until `heal`. */
  swallowNew(): void;
  /** New connections work again; cut ones stay silent. */
  heal(): void;
  /** The number of connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** @returns a relay before the server of a database, and the database's address through it */
export async function relayTo(
  url: string,
): Promise<{ readonly relay: Relay; readonly url: string }> {
  const through = new URL(url);
  const relay = await startRelay(Number(through.port || 5432));
  through.hostname = '127.0.0.1';
  through.port = String(relay.port);
  return { relay, url: through.href };
}

interface Pair {
  readonly near: Socket;
  readonly far: Socket;
}

export async function startRelay(target: number): Promise<Relay> {
  const open = new Set<Pair>();
  const cut = new Set<Socket>();
  let isSwallowing = false;
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    near.on('error', () => undefined);
    if (isSwallowing) {
      silence(near);
      return;
    }
    const far = connect(relay.target, '127.0.0.1');
    const pair = { near, far };
    open.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.pipe(to);
      from.on('close', () => {
        if (cut.has(from)) return;
        open.delete(pair);
        to.destroy();
      });
    }
  });

  function silence(socket: Socket): void {
    cut.add(socket);
    socket.unpipe();
    socket.resume();
  }

  const relay: Relay = {
    target,
    get port() {
      return (server.address() as AddressInfo).port;
    },
    get connections() {
      return connections;
    },
    cutSilently() {
      for (const { near, far } of open) {
        silence(near);
        silence(far);
      }
      open.clear();
    },
    swallowNew() {
      isSwallowing = true;
    },
    heal() {
      isSwallowing = false;
    },
    async close() {
      const closed = once(server.close(), 'close');
      for (const { near, far } of open) {
        near.destroy();
        far.destroy();
      }
      for (const socket of cut) socket.destroy();
      await closed;
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return relay;
}
