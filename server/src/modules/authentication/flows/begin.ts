import { newLoginFlowId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { clientNetwork } from '../../../platform/http/client-network.ts';
import type { TenantData } from '../../../tenancy/gate.ts';
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
  { proof, from, ...request }: NewFlowRequest,
  now: Date,
): Promise<Begun> {
  const token = newFlowToken();
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
    openedFrom: from ? sha256(`opener ${clientNetwork(from.address)}`) : null,
    proofs: proof ? [storedProof(proof, now)] : [],
  };
  await insertFlow(data, stored, MAX_OPEN, now);
  const isShown = proof !== undefined || request.invitation !== undefined;
  return { stored, token, isShown };
}
