import { type AddressInfo, BlockList } from 'node:net';
import { pathToFileURL } from 'node:url';
import { serveDocs } from '../../server/src/platform/http/docs-files.ts';
import { createServer } from '../../server/src/platform/http/server.ts';
import { openLog } from '../../server/src/platform/log.ts';

const MAX_CONNECTIONS = 100;

/** Serves a built site on this machine, as the service does. @param port 0 for any that is free */
export async function serveSite(
  dist: string,
  port: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer({
    log: openLog('silent'),
    trustedProxies: new BlockList(),
    maxConnections: MAX_CONNECTIONS,
    docsUrl: () => '/docs',
  });
  serveDocs(server, pathToFileURL(`${dist}/`));
  server.get('/', (_, reply) => reply.redirect('/docs/'));
  await server.listen({ port, host: '127.0.0.1' });
  const { port: bound } = server.server.address() as AddressInfo;
  return { url: `http://localhost:${bound}/docs/`, close: () => server.close() };
}
