// Invoices for all callers with permission to read them, and a route for agents only. Node.js 24 runs this file
// directly.

import { createVerifier, requireScope, VerificationError } from '@keywright/sdk';
import { claimsOf, keywright, requireToken, sendRefusal } from '@keywright/sdk/fastify';
import { fastify } from 'fastify';

/** A claim that the tenant adds to its tokens (`custom_claims`). */
interface Custom {
  readonly department?: string;
}

const { ISSUER = 'http://localhost:8080', PORT = '3000' } = process.env;

const app = fastify();
const verifier = createVerifier<Custom>({
  issuer: ISSUER,
  onProblem: ({ code, message }) => app.log.warn({ code }, message),
});

app.setErrorHandler((error, _request, reply) =>
  error instanceof VerificationError ? sendRefusal(reply, error) : reply.send(error),
);

app.get('/health', () => ({ status: 'ok', revocations: verifier.state().revocations }));

// Every route of this scope requires a token that can read invoices.
await app.register(async (invoices) => {
  await invoices.register(keywright, { verifier, scopes: 'read:invoices' });

  invoices.get('/invoices', (request) => {
    const { sub, department = 'every department' } = claimsOf<Custom>(request);
    return { items: [], for: sub, of: department };
  });

  invoices.delete<{ Params: { number: string } }>('/invoices/:number', (request) => {
    // The required scope depends on the invoice: deleting an older one needs more.
    const { number } = request.params;
    requireScope(claimsOf(request), number.startsWith('2026') ? 'delete:invoices' : '*:invoices');
    return { number, deleted: true };
  });
});

const agentsOnly = requireToken(verifier, { agent: true, scopes: 'write:invoices' });
app.post('/import', { onRequest: agentsOnly }, (request) => ({ imported: claimsOf(request).sub }));

app.addHook('onClose', async () => verifier.close());
process.once('SIGTERM', () => void app.close());
console.log(`listening at ${await app.listen({ port: Number(PORT) })}`);
