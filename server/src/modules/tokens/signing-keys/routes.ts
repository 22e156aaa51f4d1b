import { getIssuerKeySet, getKeySet } from '@keywright/contract/routes/key-set';
import type { Router } from '../../../tenancy/router.ts';
import type { FindKeySet } from './key-set.ts';

export function bindKeySetRoutes(router: Router, findKeySet: FindKeySet): void {
  router.addAll([getKeySet, getIssuerKeySet], ({ tenant, query }) =>
    findKeySet(tenant.id, query.alg),
  );
}
