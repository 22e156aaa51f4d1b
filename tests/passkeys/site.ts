// Pages of tenants and of others, and the service behind the same hosts.

import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { blocksOf } from '../e2e/guide-page.ts';
import { Authority } from '../harness/certificate.ts';

export interface Site {
  /** Flags with which a browser resolves these hosts here and trusts their certificate. */
  readonly flags: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves a page at `/page` of every host, as an app of a tenant does, and a page with a frame at `/frame?of=<address>`.
 * Everything else is answered by the service.
 * @param service its address
 */
export async function serveSite(hosts: readonly string[], service: string): Promise<Site> {
  const { cert, key } = new Authority().issue(hosts);
  const server = createServer({ cert, key }, (incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '', 'https://site');
    if (pathname === '/page') sendPage(response, PAGE);
    else if (pathname === '/frame') sendPage(response, frameOf(searchParams.get('of') ?? ''));
    else passOn(service, incoming, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const publicKey = createPublicKey(new X509Certificate(cert).publicKey.export(SPKI));
  const digest = createHash('sha256').update(publicKey.export(SPKI_DER)).digest('base64');
  return {
    flags: [
      `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
      `--ignore-certificate-errors-spki-list=${digest}`,
    ],
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const SPKI = { type: 'spki', format: 'pem' } as const;
const SPKI_DER = { type: 'spki', format: 'der' } as const;

function sendPage(response: ServerResponse, html: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
}

function passOn(service: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, headers } = incoming;
  const { hostname, port } = new URL(service);
  const further = request({ hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  further.on('error', () => response.writeHead(502).end());
  incoming.pipe(further);
}

/** The guide's script and field, which the page contains. */
const [SCRIPT, FIELD] = ['js', 'html'].map(
  (language) => blocksOf('passkeys.md').find((block) => block.language === language)?.text,
);
const PAGE = `<!doctype html><html lang="en"><title>Log in</title>
<label>E-mail ${FIELD}</label>
<script>${SCRIPT}</script></html>`;

function frameOf(address: string): string {
  const allowed = 'publickey-credentials-get *; publickey-credentials-create *';
  return `<!doctype html><title>Elsewhere</title><iframe src="${encodeURI(address)}" allow="${allowed}"></iframe>`;
}
