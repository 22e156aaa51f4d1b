import { openApiDocument } from '@keywright/contract/openapi';
import type { OkOf } from '@keywright/contract/route';
import { ROUTES } from '@keywright/contract/routes';
import { openapi } from '@keywright/contract/routes/service';
import { CompressedOnce } from '../../../platform/http/replies.ts';
import { lazy } from '../../../platform/lazy.ts';
import { VERSION } from '../../../platform/version.ts';
import { defineModule } from '../../../tenancy/module.ts';

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
  return {
    routes(router) {
      router.add(openapi, () => document());
    },
  };
});
