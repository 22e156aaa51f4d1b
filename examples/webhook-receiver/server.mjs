// Receives webhooks at /webhooks. Reads bodies as raw bytes, because the signature covers the bytes.
// Responds immediately, because a slow receiver is considered to have failed, and handles each event once,
// because a delivery is repeated when its response is lost.

import { createServer } from 'node:http';
import { verifyWebhook, WebhookError } from '@keywright/sdk';

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env;

if (WEBHOOK_SECRET === '') {
  console.error(
    'Set WEBHOOK_SECRET first: docs/guide/webhooks.md registers a webhook, and the response contains it.',
  );
  process.exit(1);
}
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_REMEMBERED = 10_000;

/** The IDs of handled events; a service with several processes needs a table. */
const handled = new Set();

/** @param {import('@keywright/sdk').WebhookEvent} event */
function handle(event) {
  if (event.type === 'user.created') {
    console.log(`welcome ${event.data.identifiers.map(({ identifier }) => identifier).join(', ')}`);
  } else if (event.type === 'session.revoked') {
    console.log(`session ${event.data.session_id} ended: ${event.data.reason}`);
  } else {
    console.log(event.type);
  }
}

/** @param {import('@keywright/sdk').WebhookEvent} event */
function handleOnce(event) {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  if (handled.size > MAX_REMEMBERED) handled.delete(handled.values().next().value);
  handle(event);
}

/** @param {import('node:http').IncomingMessage} request */
async function readBody(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new WebhookError('BODY_INVALID', 'The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @param {import('node:http').IncomingMessage} request */
async function receive(request) {
  if (request.method !== 'POST' || request.url !== '/webhooks') return 404;
  try {
    const body = await readBody(request);
    handleOnce(await verifyWebhook(body, request.headers, WEBHOOK_SECRET));
    return 200;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    console.warn(`rejected: ${error.code}`);
    return error.httpStatus;
  }
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});

server.listen(Number(PORT), () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  console.log(`listening at http://localhost:${port}`);
});

process.once('SIGTERM', () => server.close());
