import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A reverse TLS proxy that behaves like the guide's nginx. */
export interface TlsProxy {
  readonly port: number;
  /** The certificate, for clients to trust. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** @param ports of the nodes: the first that accepts the connection gets the request */
export async function startTlsProxy(
  folder: string,
  hosts: readonly string[],
  ports: readonly number[],
): Promise<TlsProxy> {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const names = hosts.map((host) => `DNS:${host}`).join();
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=proxy`;
  const args = ['-addext', `subjectAltName=${names}`, '-keyout', key, '-out', certificate];
  await run('openssl', [...made.split(' '), ...args]);
  const options = { key: await readFile(key), cert: await readFile(certificate) };
  const server = createServer(options, (incoming, outgoing) => {
    passOn(incoming, outgoing, ports);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  [port, ...others]: readonly number[],
): void {
  const { method, url: path, headers, socket } = incoming;
  const forwardedFor = [headers['x-forwarded-for'], socket.remoteAddress].filter(Boolean).join();
  const further = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    agent: false,
    headers: { ...headers, 'x-forwarded-host': headers.host, 'x-forwarded-for': forwardedFor },
  });
  further.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED' && others.length > 0) passOn(incoming, outgoing, others);
    else outgoing.writeHead(502).end();
  });
  // Only after a node accepted the connection: data read earlier would be lost.
  further.on('socket', (connection) => connection.on('connect', () => incoming.pipe(further)));
  further.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
}
