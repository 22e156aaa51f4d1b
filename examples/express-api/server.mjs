// An API for reports. Reading requires the scope read:reports, writing requires write:reports.

import { createVerifier } from '@keywright/sdk';
import { answerRefusals, claimsOf, requireToken } from '@keywright/sdk/express';
import express from 'express';

const { ISSUER = 'http://localhost:8080', AUDIENCE = ISSUER, PORT = '3000' } = process.env;

const verifier = createVerifier({
  issuer: ISSUER,
  // The URI of the resource, if the API is registered as one.
  audience: AUDIENCE,
  onProblem: ({ code, message }) => console.warn(`${code}: ${message}`),
});

/** @type {{ title: string, author: string }[]} */
const reports = [];

const app = express();

app.get('/reports', requireToken(verifier, { scopes: 'read:reports' }), (_request, response) => {
  response.json({ items: reports });
});

app.post(
  '/reports',
  requireToken(verifier, { scopes: 'write:reports' }),
  express.json(),
  (request, response) => {
    const { title } = /** @type {{ title?: unknown }} */ (request.body ?? {});
    const report = { title: String(title), author: claimsOf(request).sub };
    reports.push(report);
    response.status(201).json(report);
  },
);

// Rejections by a handler, with requireScope, have the same format.
app.use(answerRefusals());

const server = app.listen(Number(PORT), () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  console.log(`listening at http://localhost:${port}`);
});

process.once('SIGTERM', () => {
  server.close();
  verifier.close();
});
