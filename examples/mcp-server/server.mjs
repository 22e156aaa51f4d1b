// An MCP server, protected by Keywright: each tool requires a scope, and one of them a recent second factor.

import { createProtectedResource } from '@keywright/sdk';
import { answerRefusals, claimsOf, requireToken, serveMetadata } from '@keywright/sdk/express';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { createNoteServer, requirementsOf } from './tools.mjs';

const { ISSUER = 'http://localhost:8080', PORT = '3000' } = process.env;
const { RESOURCE = `http://localhost:${PORT}/mcp` } = process.env;

const resource = createProtectedResource({
  resource: RESOURCE,
  issuer: ISSUER,
  name: 'Notes',
  scopes: ['mcp:read', 'mcp:write'],
  onProblem: ({ code, message }) => console.warn(`${code}: ${message}`),
});

const app = express();

// Tells clients which server issues tokens for this resource.
app.use(serveMetadata(resource));

app.post(
  '/mcp',
  requireToken(resource, { scopes: 'mcp:read' }),
  express.json(),
  async (request, response) => {
    const claims = claimsOf(request);
    // Checked here, because a running tool can no longer respond with a status.
    for (const requirement of requirementsOf(request.body)) resource.require(claims, requirement);
    const server = createNoteServer(claims);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  },
);

// The server keeps no sessions, and starts no streams.
app.all('/mcp', (_request, response) => void response.set('allow', 'POST').status(405).end());

// Responds to requests that `resource.require` rejects.
app.use(answerRefusals());

const server = app.listen(Number(PORT), () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : PORT;
  console.log(`listening at http://localhost:${port}, as ${RESOURCE}`);
});

process.once('SIGTERM', () => {
  server.close();
  resource.close();
});
