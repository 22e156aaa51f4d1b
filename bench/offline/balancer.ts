import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const HEALTH_CHECK_EVERY_MS = 1000;

interface Node {
  readonly port: number;
  isHealthy: boolean;
}

/** A load balancer: new connections go to the healthy nodes round-robin. */
export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const nodes: Node[] = ports.map((port) => ({ port, isHealthy: true }));
  const open = new Set<Socket>();
  let turn = 0;

  /** Forwards a connection; to another node if the first one refuses it. */
  function forward(client: Socket, tries = nodes.length): void {
    const healthy = nodes.filter(({ isHealthy }) => isHealthy);
    const node = healthy[(turn += 1) % healthy.length];
    if (node === undefined || tries === 0) return void client.destroy();
    const upstream = connect({ port: node.port, host: '127.0.0.1', noDelay: true });
    const refused = () => {
      node.isHealthy = false;
      forward(client, tries - 1);
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
    forward(client);
  });
  // When a node ends, all of its clients reconnect simultaneously.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const timer = setInterval(() => void Promise.all(nodes.map(checkHealth)), HEALTH_CHECK_EVERY_MS);
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

/** Closing one side closes the other. */
function join(client: Socket, upstream: Socket): void {
  upstream.on('error', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
  client.once('close', () => upstream.destroy());
  client.pipe(upstream);
  upstream.pipe(client);
}

/** A node that does not respond in time keeps its state, because it might be busy. */
async function checkHealth(node: Node): Promise<void> {
  const signal = AbortSignal.timeout(HEALTH_CHECK_EVERY_MS);
  const answer = await fetch(`http://127.0.0.1:${node.port}/health`, { signal }).catch(
    (error: Error) => (error.name === 'TimeoutError' ? { ok: node.isHealthy } : { ok: false }),
  );
  node.isHealthy = answer.ok;
}
