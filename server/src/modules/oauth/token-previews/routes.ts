import { previewTokens } from '@keywright/contract/routes/token-previews';
import type { Router } from '../../../tenancy/router.ts';
import { createPreviewTokens, type PreviewDependencies } from './service.ts';

export function bindTokenPreviews(router: Router, dependencies: PreviewDependencies): void {
  const preview = createPreviewTokens(dependencies);
  router.add(previewTokens, ({ tenant, caller, body }, fail) =>
    preview(tenant, caller, body, fail),
  );
}
