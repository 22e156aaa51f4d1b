import { exchangeToken } from '@keywright/contract/routes/auth';
import type { Router } from '../../../tenancy/router.ts';
import { exchange } from './exchange.ts';

export function bindSystemAccessRoutes(
  router: Router,
  parts: Parameters<typeof exchange>[0],
): void {
  router.add(exchangeToken, ({ caller, body }, fail) => exchange(parts, caller, body, fail));
}
