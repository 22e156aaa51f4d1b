import { openApiDocument } from '@keywright/contract/openapi';
import type { OkOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { openapi, reference } from '@keywright/contract/routes/service';
import { CompressedOnce, StaticPage } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import type { Router } from '../../../tenancy/router.ts';
import { referencePage } from './page.ts';

const MAX_AGE_SECONDS = 300;

export function bindReferenceRoutes(router: Router, version: string): void {
  // As text: it is as large as all other answers together, and always the same.
  const document = lazy(
    () =>
      new CompressedOnce<OkOf<typeof openapi>>(
        JSON.stringify(openApiDocument(ROUTES, version)),
        MAX_AGE_SECONDS,
      ),
  );
  const page = lazy(() => new StaticPage(referencePage(ROUTES, version)));
  router.add(openapi, () => document());
  router.add(reference, () => page());
}
