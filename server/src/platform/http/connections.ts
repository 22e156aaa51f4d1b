import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientNetwork } from './client-network.ts';

/** How many of the oldest connections of a network are looked at for one that nobody waits for. */
const LOOKED_AT = 32;

/**
 * Bounds the connections of a process. When all are taken, the network that has the most gives one up for a newcomer, or
 * is refused when it is the newcomer: nobody takes the place of all others. Behind a proxy all come from one network,
 * and there it is the proxy that keeps its clients apart.
 * @param isBusy whether a request of a connection is being answered
 */
export function limitConnections(
  server: Server,
  max: number,
  isBusy: (socket: Socket) => boolean,
): void {
  const networks = new Networks();
  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '');
    if (networks.total >= max) {
      const largest = networks.findLargest();
      // Who has as many as anybody is no newcomer to make room for.
      if (!largest || networks.count(network) >= largest.sockets.size) {
        return void socket.destroy();
      }
      const given = chooseOne(largest.sockets, isBusy);
      networks.remove(largest.network, given);
      given.destroy();
    }
    networks.add(network, socket);
    socket.once('close', () => networks.remove(network, socket));
  });
}

/** One of the oldest, and of those one that nobody waits for, if there is one. */
function chooseOne(sockets: ReadonlySet<Socket>, isBusy: (socket: Socket) => boolean): Socket {
  const oldest = [...sockets.values().take(LOOKED_AT)];
  return oldest.find((socket) => !isBusy(socket)) ?? (oldest[0] as Socket);
}

interface Network {
  readonly network: string;
  /** At least one. */
  readonly sockets: ReadonlySet<Socket>;
}

/** Connections by network, and the networks by how many they have: what is asked when all are taken must be cheap. */
class Networks {
  readonly #sockets = new Map<string, Set<Socket>>();
  readonly #bySize = new Map<number, Set<string>>();
  #largest = 0;
  #total = 0;

  get total(): number {
    return this.#total;
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
    // Sizes change by one: where the largest is gone, the next one is just below.
    if (!this.#bySize.has(this.#largest)) this.#largest -= 1;
  }
}
