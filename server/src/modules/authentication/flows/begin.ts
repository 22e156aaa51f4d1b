import { newLoginFlowId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
import type { KnownDevice } from './device-tokens.ts';
import type { NewFlowRequest } from './request.ts';
import { expiryOf, MAX_OPEN, storedProof } from './rules.ts';
import { flowTokenHash, newFlowToken } from './secret.ts';
import { insertFlow, type NewFlow } from './store.ts';

/** A flow that was begun. */
interface Begun {
  readonly stored: NewFlow;
  readonly token: string;
  /** It begins with something that was shown, so its steps depend on its user. */
  readonly isShown: boolean;
}

export async function beginFlow(
  data: TenantData,
  { proof, from, known, carried, ...request }: NewFlowRequest,
  now: Date,
): Promise<Begun> {
  const token = newFlowToken(carried);
  const stored: NewFlow = {
    ...request,
    id: newLoginFlowId(now),
    expiresAt: expiryOf(now),
    acr: request.acr,
    stepsUp: request.stepsUp,
    registers: request.registers ?? false,
    locale: request.locale,
    userAgent: request.userAgent ?? null,
    continues: request.continues,
    invitation: request.invitation,
    tokenHash: flowTokenHash(token),
    openedFrom: from ? openerOf(from, known) : null,
    proofs: proof ? [storedProof(proof, now)] : [],
  };
  await insertFlow(data, stored, MAX_OPEN, now);
  const isShown = proof !== undefined || request.invitation !== undefined;
  return { stored, token, isShown };
}

/**
 * Whose open flows are limited together. A known device has a share of its own for each identifier, also for those of other
 * users, so that no response reveals whose device it is.
 */
function openerOf({ address }: Origin, known: KnownDevice | undefined): Buffer {
  return sha256(
    known ? `opener device ${known.id.toString('hex')}` : `opener ${clientNetwork(address)}`,
  );
}
