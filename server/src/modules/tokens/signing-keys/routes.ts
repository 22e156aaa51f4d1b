import { getIssuerKeySet, getKeySet } from '@keywright/contract/routes/key-set';
import type { Router } from '../../../tenancy/router.ts';
import type { KeyRing } from './key-ring.ts';

export function bindKeySetRoutes(router: Router, keys: KeyRing): void {
  router.addAll([getKeySet, getIssuerKeySet], ({ tenant }) => keys.keySet(tenant.id));
}
