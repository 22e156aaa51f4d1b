import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './client-network.ts';

/** Number of a network's oldest connections that are searched for an idle one. */
const LOOKED_AT = 32;

/**
 * Limits the connections of a process. At the limit, a new client displaces a connection of the network with the most
 * connections, unless its own network has as many: then the client is refused. One network therefore cannot take all
 * connections. Behind a proxy, all clients share one network, and the proxy must limit them.
 * @param isBusy whether a request of a connection is in progress
 * @returns the open connections
 */
export function limitConnections(
  server: Server,
  max: number,
  isBusy: (socket: Socket) => boolean,
): () => Iterable<Socket> {
  const networks = new Networks();
  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '');
    if (networks.total >= max) {
      const largest = networks.findLargest();
      // The network with the most connections does not displace others.
      if (!largest || networks.count(network) >= largest.sockets.size) {
        return void socket.destroy();
      }
      const displaced = chooseDisplaced(largest.sockets, isBusy);
      networks.remove(largest.network, displaced);
      displaced.destroy();
    }
    networks.add(network, socket);
    socket.once('close', () => networks.remove(network, socket));
  });
  return () => networks.sockets();
}

/** Returns one of the oldest connections, preferably an idle one. */
function chooseDisplaced(
  sockets: ReadonlySet<Socket>,
  isBusy: (socket: Socket) => boolean,
): Socket {
  const oldest = [...sockets.values().take(LOOKED_AT)];
  return oldest.find((socket) => !isBusy(socket)) ?? (oldest[0] as Socket);
}

interface Network {
  readonly network: string;
  /** At least one. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Connections by network, and networks by count, so that work at the limit is cheap. */
class Networks {
  readonly #sockets = new Map<string, Set<Socket>>();
  readonly #bySize = new Map<number, Set<string>>();
  #largest = 0;
  #total = 0;

  get total(): number {
    return this.#total;
  }

  *sockets(): Generator<Socket> {
    for (const sockets of this.#sockets.values()) yield* sockets;
  }

  count(network: string): number {
    return this.#sockets.get(network)?.size ?? 0;
  }

  findLargest(): Network | undefined {
    const [network] = this.#bySize.get(this.#largest) ?? [];
    const sockets = network === undefined ? undefined : this.#sockets.get(network);
    return network === undefined || !sockets ? undefined : { network, sockets };
  }

  add(network: string, socket: Socket): void {
    const sockets = this.#sockets.get(network) ?? new Set();
    this.#sockets.set(network, sockets.add(socket));
    this.#total += 1;
    this.#resize(network, sockets.size - 1, sockets.size);
  }

  remove(network: string, socket: Socket): void {
    const sockets = this.#sockets.get(network);
    if (!sockets?.delete(socket)) return;
    if (sockets.size === 0) this.#sockets.delete(network);
    this.#total -= 1;
    this.#resize(network, sockets.size + 1, sockets.size);
  }

  #resize(network: string, from: number, to: number): void {
    const left = this.#bySize.get(from);
    left?.delete(network);
    if (left?.size === 0) this.#bySize.delete(from);
    if (to > 0) {
      const joined = this.#bySize.get(to) ?? new Set();
      this.#bySize.set(to, joined.add(network));
    }
    this.#largest = Math.max(this.#largest, to);
    // Counts change by one: if no network has the largest count, the next count is just below.
    if (!this.#bySize.has(this.#largest)) this.#largest -= 1;
  }
}
