import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID provider for each path, which supports only the start of a login. */
export interface Upstream {
  /** The issuer of a path. */
  issuerOf(name: string): string;
  close(): void;
}

const DISCOVERY = '/.well-known/openid-configuration';

/** On loopback. */
export async function startUpstream(): Promise<Upstream> {
  const server = createServer(({ url = '' }, response) => {
    const issuer = `${origin}${url.replace(DISCOVERY, '')}`;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    issuerOf: (name) => `${origin}/${name}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
