import { deleteText, getText, listTexts, putText } from '@keywright/contract/routes/texts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { findTextsOf, getTextOf, removeText, writeText } from './service.ts';

export function bindTextRoutes(router: Router, gate: Gate): void {
  router.add(listTexts, ({ tenant, params }, fail) =>
    findTextsOf(gate.into(tenant.id), params.locale, fail),
  );
  router.add(getText, ({ tenant, params }, fail) => getTextOf(gate.into(tenant.id), params, fail));
  router.add(putText, ({ tenant, caller, params, body }, fail) =>
    gate.into(tenant.id).transaction((tx) => writeText(tx, caller, params, body.text, fail)),
  );
  router.add(deleteText, ({ tenant, caller, params }, fail) =>
    gate.into(tenant.id).transaction((tx) => removeText(tx, caller, params, fail)),
  );
}
