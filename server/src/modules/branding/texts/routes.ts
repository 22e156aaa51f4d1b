import { deleteText, getText, listTexts, putText } from '@keywright/contract/routes/texts';
import { lazy } from '../../../platform/lazy.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';

/** With what reads texts, which startup does not need. */
const loadService = lazy(() => import('./service.ts'));

export function bindTextRoutes(router: Router, gate: Gate): void {
  router.add(listTexts, async ({ tenant, params }, fail) => {
    const { findTextsOf } = await loadService();
    return findTextsOf(gate.into(tenant.id), params.locale, fail);
  });
  router.add(getText, async ({ tenant, params }, fail) => {
    const { getTextOf } = await loadService();
    return getTextOf(gate.into(tenant.id), params, fail);
  });
  router.add(putText, async ({ tenant, caller, params, body }, fail) => {
    const { writeText } = await loadService();
    const data = gate.into(tenant.id);
    return data.transaction((tx) => writeText(tx, { tenant, caller }, params, body.text, fail));
  });
  router.add(deleteText, async ({ tenant, caller, params }, fail) => {
    const { removeText } = await loadService();
    return gate.into(tenant.id).transaction((tx) => removeText(tx, caller, params, fail));
  });
}
