import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How often each node is asked whether it wants connections. */
const HEALTH_EVERY_MS = 1000;

interface Node {
  readonly port: number;
  isHealthy: boolean;
}

/** What stands before several nodes: new connections go to those that are healthy, in turn. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const nodes: Node[] = ports.map((port) => ({ port, isHealthy: true }));
  const open = new Set<Socket>();
  let turn = 0;

  /** Hands a connection on; to another node where the first one refuses it. */
  function handOn(client: Socket, tries = nodes.length): void {
    const healthy = nodes.filter(({ isHealthy }) => isHealthy);
    const node = healthy[(turn += 1) % healthy.length];
    if (node === undefined || tries === 0) return void client.destroy();
    const upstream = connect({ port: node.port, host: '127.0.0.1', noDelay: true });
    const refused = () => {
      node.isHealthy = false;
      handOn(client, tries - 1);
    };
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      join(client, upstream);
    });
  }

  const server = createServer({ noDelay: true, pauseOnConnect: true }, (client) => {
    open.add(client);
    client.on('error', () => client.destroy());
    client.once('close', () => open.delete(client));
    handOn(client);
  });
  // As many as come at once when a node is gone.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const timer = setInterval(() => void Promise.all(nodes.map(examine)), HEALTH_EVERY_MS);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

/** What ends on one side ends on the other. */
function join(client: Socket, upstream: Socket): void {
  upstream.on('error', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
}

/** A node that does not answer in time stays what it was: it may have much to do. */
async function examine(node: Node): Promise<void> {
  const signal = AbortSignal.timeout(HEALTH_EVERY_MS);
  const answer = await fetch(`http://127.0.0.1:${node.port}/health`, { signal }).catch(
    (error: Error) => (error.name === 'TimeoutError' ? { ok: node.isHealthy } : { ok: false }),
  );
  node.isHealthy = answer.ok;
}
