// A page without a server, which needs no library.

import { quoted, type Template } from './values.ts';

const HELPERS = `const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
`;

const FINISH = `/** The tokens, when the browser comes back. Keep them in memory alone. */
export async function finish() {
  const answer = Object.fromEntries(new URLSearchParams(location.search));
  const attempt = JSON.parse(sessionStorage.getItem('attempt'));
  sessionStorage.removeItem('attempt');
  history.replaceState(undefined, '', location.pathname);
  if (answer.state !== attempt.state || answer.iss !== metadata.issuer) throw new Error('state');
  if (answer.error) throw new Error(answer.error);
  const response = await fetch(metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code: answer.code,
      redirect_uri: redirectUri,
      code_verifier: attempt.verifier,
    }),
  });
  const tokens = await response.json();
  if (!response.ok) throw new Error(tokens.error);
  const [, payload] = tokens.id_token.replaceAll('-', '+').replaceAll('_', '/').split('.');
  if (JSON.parse(atob(payload)).nonce !== attempt.nonce) throw new Error('nonce');
  return tokens;
}
`;

export const spa: Template = {
  packages: '',
  text: ({ client, issuer, uri, scope }) => `const issuer = ${quoted(issuer)};
const clientId = ${quoted(client.id)};
const redirectUri = ${quoted(uri)};

const metadata = await (await fetch(\`\${issuer}/.well-known/openid-configuration\`)).json();
${HELPERS}
export async function begin() {
  const attempt = { verifier: random(), state: random(), nonce: random() };
  sessionStorage.setItem('attempt', JSON.stringify(attempt));
  const verifier = new TextEncoder().encode(attempt.verifier);
  const parameters = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: ${quoted(scope)},
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: base64url(await crypto.subtle.digest('SHA-256', verifier)),
    code_challenge_method: 'S256',
  });
  location.assign(\`\${metadata.authorization_endpoint}?\${parameters}\`);
}

${FINISH}`,
};
