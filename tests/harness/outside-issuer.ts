import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StatementKey } from './statement-key.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An external OpenID provider, on loopback. */
export interface OutsideIssuer {
  readonly url: string;
  /** Its published keys. */
  keys: readonly StatementKey[];
  /** The number of requests for its keys. */
  readonly requestCount: number;
  /** Further headers of the response with its keys. */
  headers: Readonly<Record<string, string>>;
  /** Replaces the document that names the location of its keys. */
  discovery: Answer | undefined;
  /** Replaces its keys. */
  jwks: Answer | undefined;
  close(): Promise<void>;
}

/** @param host the host of its issuer: a name of the loopback interface, or its address */
export async function startOutsideIssuer(
  keys: readonly StatementKey[],
  host = '127.0.0.1',
): Promise<OutsideIssuer> {
  const server = createServer((request, response) => {
    const isDiscovery = request.url === '/.well-known/openid-configuration';
    if (!isDiscovery) issuer.requestCount += 1;
    const override = isDiscovery ? issuer.discovery : issuer.jwks;
    if (override) return override(request, response);
    if (isDiscovery)
      return answerJson(response, { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` });
    const set = { keys: issuer.keys.map(({ publicJwk }) => publicJwk) };
    return answerJson(response, set, issuer.headers);
  });
  // A test that fails before closing this must not keep the process alive.
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    keys,
    requestCount: 0,
    headers: {},
    discovery: undefined as Answer | undefined,
    jwks: undefined as Answer | undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

export function answerJson(
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
