// A service of the recording, in a process of its own. It accepts access tokens that it verifies offline: with the SDK, or
// with jose, which knows nothing about revocation.

import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createVerifier } from '../../../sdk/src/sdk.ts';

const { ISSUER = '', KIND = 'sdk' } = process.env;

type Verify = (token: string) => Promise<unknown>;

async function verifierOf(kind: string): Promise<Verify> {
  if (kind === 'sdk') {
    const verifier = createVerifier({ issuer: ISSUER });
    return (token) => verifier.verify(token);
  }
  const response = await fetch(`${ISSUER}/.well-known/openid-configuration`);
  const { jwks_uri: address } = (await response.json()) as { jwks_uri: string };
  const keys = createRemoteJWKSet(new URL(address));
  return (token) => jwtVerify(token, keys, { issuer: ISSUER, audience: ISSUER });
}

const verify = await verifierOf(KIND);
const server = createServer((request, response) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  verify(token).then(
    () => response.writeHead(200).end(),
    () => response.writeHead(401).end(),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
process.on('disconnect', () => process.exit());
