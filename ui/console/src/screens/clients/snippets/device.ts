// Programs on a device: with the system's browser, or with the browser of another device.

import { ATTEMPT, authorization, discovery } from './openid-client.ts';
import { DEVICE_GRANT, quoted, type Template, type Values } from './values.ts';

export const native: Template = {
  packages: 'openid-client',
  text: nativeText,
};

export const device: Template = {
  packages: '',
  returns: false,
  text: ({ client, issuer, scope }) => `const issuer = ${quoted(issuer)};
const client_id = ${quoted(client.id)};

const post = async (url, fields) =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).json();

const metadata = await (await fetch(\`\${issuer}/.well-known/openid-configuration\`)).json();
const begun = await post(metadata.device_authorization_endpoint, {
  client_id,
  scope: ${quoted(scope)},
});
console.log(\`Open \${begun.verification_uri} and type \${begun.user_code}.\`);

let seconds = begun.interval;
let answer = { error: 'authorization_pending' };
while (['authorization_pending', 'slow_down'].includes(answer.error)) {
  if (answer.error === 'slow_down') seconds += 5;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  answer = await post(metadata.token_endpoint, {
    grant_type: ${quoted(DEVICE_GRANT)},
    client_id,
    device_code: begun.device_code,
  });
}
if (answer.error) throw new Error(\`\${answer.error}: \${answer.error_description}\`);
`,
};

const LOOPBACK = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?(?<rest>\/.*)?$/;

/** Uses the loopback address, or else what the system opens for a scheme or an address of the app. */
function nativeText(values: Values): string {
  const { host, rest = '' } = LOOPBACK.exec(values.uri)?.groups ?? {};
  const importLine = `import * as oidc from 'openid-client';`;
  if (host === undefined) {
    return `${importLine}

${discovery(values)}

${ATTEMPT}
${authorization(quoted(values.uri), values.scope)}
// Open the url in the browser of the system, never in a view of your own.

// When the system hands you the address that begins with ${values.uri}:
const tokens = await oidc.authorizationCodeGrant(config, new URL(address), attempt);
`;
  }
  const listened = host === '[::1]' ? '::1' : host;
  return `import { once } from 'node:events';
import { createServer } from 'node:http';
${importLine}

${discovery(values)}

// Any port that is free: that of the registered address does not count.
const server = createServer().listen(0, ${quoted(listened)});
await once(server, 'listening');
const redirectUri = \`http://${host}:\${server.address().port}\` + ${quoted(rest)};

${ATTEMPT}
${authorization('redirectUri', values.scope)}
console.log(\`Sign in at:\\n\${url.href}\`);

const [request, response] = await once(server, 'request');
response.setHeader('connection', 'close').end('You can close this window.');
server.close();
const address = new URL(request.url, redirectUri);
const tokens = await oidc.authorizationCodeGrant(config, address, attempt);
`;
}
