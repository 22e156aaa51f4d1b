import { openApiDocument } from '@keywright/contract/openapi';
import type { OkOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { openapi } from '@keywright/contract/routes/service';
import type { FastifyInstance } from 'fastify';
import { lazy } from '../../../platform/lazy.ts';
import { Cacheable } from '../../../platform/http/replies.ts';
import type { Router } from '../../../tenancy/router.ts';
import { referencePage } from './page.ts';

/** Nothing may be loaded, run or framed: the page is text and its own style. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const MAX_AGE_SECONDS = 300;
const MAX_AGE = `public, max-age=${MAX_AGE_SECONDS}`;

export function bindReferenceRoutes(
  router: Router,
  server: FastifyInstance,
  version: string,
): void {
  // As text: it is as large as all other answers together, and always the same.
  const document = lazy(
    () =>
      new Cacheable<OkOf<typeof openapi>>(
        JSON.stringify(openApiDocument(ROUTES, version)),
        MAX_AGE_SECONDS,
      ),
  );
  const page = lazy(() => referencePage(ROUTES, version));

  router.add(openapi, () => document());

  server.get('/reference', (_request, reply) =>
    reply
      .headers({ 'content-security-policy': CONTENT_SECURITY_POLICY, 'cache-control': MAX_AGE })
      .type('text/html; charset=utf-8')
      .send(page()),
  );
  server.get('/', (_request, reply) => reply.redirect('/reference', 302));
}
