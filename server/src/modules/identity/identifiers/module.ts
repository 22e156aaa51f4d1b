import {
  deleteIdentifier,
  listIdentifiers,
  makePrimary,
  offerUndoPasskey,
  sendVerification,
  undoIdentifiers,
  verifyIdentifier,
} from '@keywright/contract/routes/identifiers';
import { localeOfHeaders } from '../../../platform/texts/locales.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { flowsModule } from '../../authentication/flows/module.ts';
import { secondFactorsModule } from '../../authentication/second-factors/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { IdentifierService } from './identifier-service.ts';
import { UndoService } from './undo-service.ts';

export const identifiersModule = defineModule('identifiers', (core, use) => {
  const { notices, limits } = use(messagesModule);
  const { secondFactorVerifier } = use(secondFactorsModule);
  const undos = new UndoService(core, notices, secondFactorVerifier);
  return {
    offer: { undos },
    routes(router) {
      const { challenges } = use(flowsModule);
      bindIdentifiers(router, new IdentifierService(core, challenges, notices, limits));
      bindUndos(router, undos);
    },
    sweeps: [expiring('identifier_undos', 'expires_at')],
  };
});

function bindIdentifiers(router: Router, service: IdentifierService): void {
  router.add(listIdentifiers, async ({ tenant, caller }, fail) => ({
    identifiers: await service.list(tenant, caller, fail),
  }));
  router.add(sendVerification, ({ tenant, caller, body, headers }, fail) =>
    service.sendVerification(tenant, caller, { ...body, locale: localeOfHeaders(headers) }, fail),
  );
  router.add(verifyIdentifier, async ({ tenant, caller, body, device: { userAgent } }, fail) => ({
    identifiers: await service.verify(tenant, caller, { ...body, userAgent }, fail),
  }));
  router.add(makePrimary, async ({ tenant, caller, params, device: { userAgent } }, fail) => {
    const { identifier } = params;
    const chosen = { identifier, userAgent };
    return { identifiers: await service.makePrimary(tenant, caller, chosen, fail) };
  });
  router.add(deleteIdentifier, async ({ tenant, caller, params, device: { userAgent } }, fail) => {
    const { identifier } = params;
    const chosen = { identifier, userAgent };
    return { identifiers: await service.remove(tenant, caller, chosen, fail) };
  });
}

function bindUndos(router: Router, undos: UndoService): void {
  router.add(undoIdentifiers, async ({ tenant, body, from }, fail) => {
    const { undo_token: token, password, code, credential: passkey } = body;
    await undos.undo(tenant, { token, password, code, passkey }, from, fail);
    return { restored: true as const };
  });
  router.add(offerUndoPasskey, async ({ tenant, body, from }, fail) => ({
    options: await undos.offerPasskey(tenant, body.undo_token, from, fail),
  }));
}
