// Invoices for agents. The scope read:invoices allows reading them, write:invoices allows adding one.

import { createServer, STATUS_CODES } from 'node:http';
import { createAuthority } from './authority.mjs';
import { createGuard, Refusal } from './guard.mjs';

const {
  ISSUER = 'http://localhost:8080',
  AUDIENCE = ISSUER,
  PORT = '3000',
  KEYWRIGHT_URL = 'http://localhost:8080',
  KEYWRIGHT_TENANT = 'org_default',
  KEYWRIGHT_API_KEY,
} = process.env;

const admit = createGuard({ issuer: ISSUER, audience: AUDIENCE });
const confirm =
  KEYWRIGHT_API_KEY === undefined
    ? undefined
    : createAuthority({ url: KEYWRIGHT_URL, tenant: KEYWRIGHT_TENANT, apiKey: KEYWRIGHT_API_KEY });

/** @type {{ number: number, by: string }[]} */
const invoices = [];

/** @param {import('node:http').IncomingMessage} request */
async function respond(request) {
  const { authorization } = request.headers;
  switch (`${request.method} ${request.url}`) {
    case 'GET /invoices': {
      await admit(authorization, 'read:invoices');
      return { status: 200, body: { items: invoices } };
    }
    case 'POST /invoices': {
      const agent = await admit(authorization, 'write:invoices');
      await confirm?.(agent.token, 'write:invoices');
      const invoice = { number: invoices.length + 1, by: agent.id };
      invoices.push(invoice);
      return { status: 201, body: invoice };
    }
    default:
      throw new Refusal(404, 'ROUTE_NOT_FOUND', 'The route was not found.');
  }
}

/** @param {unknown} error */
function reject(error) {
  if (!(error instanceof Refusal)) {
    process.stderr.write(`${String(error)}\n`);
    return reject(new Refusal(503, 'UNAVAILABLE', 'Access cannot be checked right now.'));
  }
  const { status, code, message: detail, challenge } = error;
  const headers = challenge === undefined ? {} : { 'www-authenticate': challenge };
  return { status, body: { error: STATUS_CODES[status], detail, code }, headers };
}

const server = createServer((request, response) => {
  void respond(request)
    .catch(reject)
    .then(({ status, body, ...rest }) => {
      const headers = 'headers' in rest ? rest.headers : {};
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(`${JSON.stringify(body)}\n`);
    });
});
server.listen(Number(PORT), () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  process.stdout.write(`Invoices: http://localhost:${port}\n`);
});
