// The parts of a login with openid-client.

import { type Client, quoted, type Values } from './values.ts';

/** Returns the openid-client code for how the client authenticates. */
function authenticationOf({ token_endpoint_auth_method: method }: Client): string {
  switch (method) {
    case 'none':
      return 'oidc.None()';
    case 'client_secret_post':
      return 'oidc.ClientSecretPost(process.env.CLIENT_SECRET)';
    case 'private_key_jwt':
      return 'oidc.PrivateKeyJwt(privateKey)';
    case 'client_secret_basic':
      return 'oidc.ClientSecretBasic(process.env.CLIENT_SECRET)';
  }
}

/** The public part of the key is registered, by jwks or jwks_uri. */
const KEY = `// A CryptoKey, whose public part is registered.
const privateKey = await loadKey();
`;

export function discovery({ client, issuer }: Values): string {
  const isSigned = client.token_endpoint_auth_method === 'private_key_jwt';
  // Connections without TLS are allowed only on this machine.
  const plain = issuer.startsWith('http:') ? '\n  { execute: [oidc.allowInsecureRequests] },' : '';
  return `${isSigned ? KEY : ''}const config = await oidc.discovery(
  new URL(${quoted(issuer)}),
  ${quoted(client.id)},
  undefined,
  ${authenticationOf(client)},${plain}
);`;
}

export const ATTEMPT = `const attempt = {
  pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
  expectedState: oidc.randomState(),
  expectedNonce: oidc.randomNonce(),
};`;

export const authorization = (redirectUri: string, scope: string): string =>
  `const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri: ${redirectUri},
  scope: ${quoted(scope)},
  code_challenge: await oidc.calculatePKCECodeChallenge(attempt.pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: attempt.expectedState,
  nonce: attempt.expectedNonce,
});`;
