import { openApiDocument } from '@keywright/contract/openapi';
import type { OkOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { openapi, reference } from '@keywright/contract/routes/service';
import { CompressedOnce, StaticPage } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { VERSION } from '../../../platform/version.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { referencePage } from './reference-page.ts';

const MAX_AGE_SECONDS = 300;

export const referenceModule = defineModule('reference', () => {
  // Serialized only once, because it is larger than all other responses together, and constant.
  const document = lazy(
    () =>
      new CompressedOnce<OkOf<typeof openapi>>(
        JSON.stringify(openApiDocument(ROUTES, VERSION)),
        MAX_AGE_SECONDS,
      ),
  );
  const page = lazy(() => new StaticPage(referencePage(ROUTES, VERSION)));
  return {
    routes(router) {
      router.add(openapi, () => document());
      router.add(reference, () => page());
    },
  };
});
