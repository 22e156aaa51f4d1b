import {
  deleteIdentifier,
  listIdentifiers,
  makePrimary as makePrimaryRoute,
  offerUndoPasskey,
  sendVerification,
  undoIdentifiers,
  verifyIdentifier,
} from '@keywright/contract/routes/identifiers';
import { askedIn } from '../../../platform/texts/locales.ts';
import type { Router } from '../../../tenancy/router.ts';
import { listOwn, makePrimary, remove } from './service.ts';
import { offerPasskey, undo, type UndoDependencies } from './undo.ts';
import { send, type VerificationDependencies, verify } from './verification.ts';

type Dependencies = VerificationDependencies & UndoDependencies;

export function bindIdentifierRoutes(router: Router, dependencies: Dependencies): void {
  router.add(listIdentifiers, async ({ tenant, caller }, fail) => ({
    identifiers: await listOwn(dependencies, tenant, caller, fail),
  }));
  router.add(sendVerification, ({ tenant, caller, body, headers }, fail) =>
    send(dependencies, tenant, caller, { ...body, locale: askedIn(headers) }, fail),
  );
  router.add(verifyIdentifier, async ({ tenant, caller, body, device: { userAgent } }, fail) => ({
    identifiers: await verify(dependencies, tenant, caller, { ...body, userAgent }, fail),
  }));
  router.add(makePrimaryRoute, async ({ tenant, caller, params, device }, fail) => {
    const asked = { identifier: params.identifier, userAgent: device.userAgent };
    return { identifiers: await makePrimary(dependencies, tenant, caller, asked, fail) };
  });
  router.add(deleteIdentifier, async ({ tenant, caller, params, device }, fail) => {
    const asked = { identifier: params.identifier, userAgent: device.userAgent };
    return { identifiers: await remove(dependencies, tenant, caller, asked, fail) };
  });
  router.add(undoIdentifiers, async ({ tenant, body, from }, fail) => {
    const { undo_token: token, password, code, credential: passkey } = body;
    await undo(dependencies, tenant, { token, password, code, passkey }, from, fail);
    return { restored: true as const };
  });
  router.add(offerUndoPasskey, async ({ tenant, body, from }, fail) => ({
    options: await offerPasskey(dependencies, tenant, body.undo_token, from, fail),
  }));
}
