import { showAccount } from '@keywright/contract/routes/account';
import type { PasskeyAssertion } from '@keywright/contract/records/passkey';
import { AppError } from '@keywright/contract/errors';
import { offerUndoPasskey, undoIdentifiers } from '@keywright/contract/routes/identifiers';
import {
  showUndo,
  showUndoByIssuer,
  undoOnPage,
  undoOnPageByIssuer,
} from '@keywright/contract/routes/undo-pages';
import { Page } from '../../../platform/http/replies.ts';
import { pathAtIssuer, requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { UndoService } from '../../identity/identifiers/index.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import { undoneView, undoPasskeyView, undoView } from '../../branding/views/index.ts';

const WRONG: ReadonlySet<unknown> = new Set([
  'PROOF_REQUIRED',
  'VALIDATION_FAILED',
  'STEP_NOT_NEEDED',
]);

/** Binds the pages that undo a change of identifiers. The notice of the change links to them. */
export function bindUndoPages(router: Router, undos: UndoService, looks: LookService): void {
  const shown = [showUndo, showUndoByIssuer];
  router.addAll(shown, async ({ tenant, query: { token }, form, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const look = await looks.find(tenant, wishes, { action: 'undo', fields: { token } });
    const proofs = await undos.findProofs(tenant, token, from, fail);
    if (!proofs) return ended(tenant, look);
    return new Page(undoView({ look, field: form.field, token, tenantName: tenant.name, proofs }));
  });

  const submitted = [undoOnPage, undoOnPageByIssuer];
  router.addAll(submitted, async ({ tenant, body, device, form, from, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    const { token, secret: password, code, credential, action } = body;
    const look = await looks.find(tenant, wishes);
    const proofs = await undos.findProofs(tenant, token, from, fail);
    if (!proofs) return ended(tenant, look);
    const page = { look, field: form.field, token, tenantName: tenant.name, proofs };
    const call = { tenant, device, params: {} };
    try {
      if (action === 'passkey') {
        const { options } = await router.perform(offerUndoPasskey, {
          ...call,
          body: { undo_token: token },
        });
        return new Page(undoPasskeyView({ ...page, options }));
      }
      const proof = {
        undo_token: token,
        ...(password && { password }),
        ...(code && { code }),
        ...(credential && { credential: parsePasskey(credential) }),
      };
      await router.perform(undoIdentifiers, { ...call, body: proof });
      return new Page(undoneView({ look, state: 'done', account: accountOf(tenant) }));
    } catch (error) {
      const refusal = error instanceof AppError ? error.code : undefined;
      if (refusal === 'FLOW_ENDED') return ended(tenant, look);
      // A code of the wrong length counts as a wrong code.
      if (!WRONG.has(refusal)) throw error;
      return new Page(undoView({ ...page, isWrong: true }), { refusal: 'PROOF_REQUIRED' });
    }
  });
}

/** Parses the browser's passkey response. The route checks its format. */
function parsePasskey(credential: string): PasskeyAssertion {
  try {
    return JSON.parse(credential) as PasskeyAssertion;
  } catch {
    throw new AppError('VALIDATION_FAILED');
  }
}

function accountOf(tenant: Tenant): string {
  return pathAtIssuer(tenant, showAccount.path);
}

function ended(tenant: Tenant, look: Look): Page<'FLOW_ENDED'> {
  const { here: _here, ...shown } = look;
  const html = undoneView({ look: shown, state: 'ended', account: accountOf(tenant) });
  return new Page(html, { refusal: 'FLOW_ENDED' });
}
