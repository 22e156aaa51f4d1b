// Serves the page, like any web server. The settings for Keywright are in config.js.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const {
  ISSUER = 'http://localhost:8080',
  CLIENT_ID = '',
  ORIGIN = 'http://localhost:3000',
  PORT = new URL(ORIGIN).port,
} = process.env;

if (CLIENT_ID === '') {
  console.error(
    'Set CLIENT_ID first: docs/guide/add-login.md shows how to register the application.',
  );
  process.exit(1);
}

/** @param {string} name */
const read = (name) => readFileSync(new URL(`public/${name}`, import.meta.url), 'utf8');

const CONFIG = `export const issuer = ${JSON.stringify(ISSUER)};
export const clientId = ${JSON.stringify(CLIENT_ID)};
`;
const FILES = new Map([
  ['/', { type: 'text/html', text: read('index.html') }],
  ['/app.js', { type: 'text/javascript', text: read('app.js') }],
  ['/login.js', { type: 'text/javascript', text: read('login.js') }],
  ['/config.js', { type: 'text/javascript', text: CONFIG }],
]);
/** Allows only scripts of this origin, which can call only Keywright. Add your own services. */
const POLICY = `default-src 'none'; script-src 'self'; img-src data:; connect-src ${new URL(ISSUER).origin}`;

const server = createServer((request, response) => {
  const found = FILES.get(new URL(request.url ?? '/', ORIGIN).pathname);
  response.writeHead(found ? 200 : 404, {
    'content-type': found?.type ?? 'text/plain',
    'content-security-policy': POLICY,
  });
  response.end(found?.text);
});
server.listen(Number(PORT), () => console.log(`listening at ${ORIGIN}`));
process.once('SIGTERM', () => server.close());
