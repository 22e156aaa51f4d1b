// A program on the user's device, here a command line, that signs in through the browser (RFC 8252). Mobile apps do the
// same with their own URI scheme and AppAuth.

import { once } from 'node:events';
import { createServer } from 'node:http';
import * as oidc from 'openid-client';

const { ISSUER = 'http://localhost:8080', CLIENT_ID = '' } = process.env;

if (CLIENT_ID === '') {
  console.error(
    'Set CLIENT_ID first: docs/guide/add-login.md shows how to register the application.',
  );
  process.exit(1);
}

// HTTP without TLS is allowed only on this machine.
const isLocal = new URL(ISSUER).hostname === 'localhost';
const config = await oidc.discovery(new URL(ISSUER), CLIENT_ID, undefined, oidc.None(), {
  execute: isLocal ? [oidc.allowInsecureRequests] : [],
});

// Any free port: the port of the registered URI does not count.
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const redirectUri = `http://127.0.0.1:${port}/callback`;

const checks = {
  pkceCodeVerifier: oidc.randomPKCECodeVerifier(),
  expectedState: oidc.randomState(),
  expectedNonce: oidc.randomNonce(),
};
const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri,
  scope: 'openid profile email offline_access',
  code_challenge: await oidc.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
  code_challenge_method: 'S256',
  state: checks.expectedState,
  nonce: checks.expectedNonce,
});
console.log(`Sign in at:\n${url.href}`);

/** Resolves to the URL that the browser returns to. */
async function comesBack() {
  for (;;) {
    const [{ url: path }, response] = await once(server, 'request');
    const { pathname, href } = new URL(path, redirectUri);
    response.setHeader('connection', 'close');
    if (pathname === '/callback') {
      response.end('You can close this window.');
      return new URL(href);
    }
    response.writeHead(404).end();
  }
}

const tokens = await oidc.authorizationCodeGrant(config, await comesBack(), checks);
server.close();
const sub = tokens.claims()?.sub ?? '';
const { name, email } = await oidc.fetchUserInfo(config, tokens.access_token, sub);
console.log(`You are ${name ?? email ?? sub}.`);
// Store the refresh token in the system's keychain, so that the next start does not need a browser.
console.log(tokens.refresh_token ? 'There is a refresh token.' : 'There is no refresh token.');
