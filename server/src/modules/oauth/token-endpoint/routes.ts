import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { ApiKeys } from '../../machines/api-keys/index.ts';
import type { VerifyToken } from '../../authentication/bearer/index.ts';
import {
  createIssuerKeys,
  createVerifyClientAssertion,
  createVerifyWorkloadToken,
} from '../../machines/proofs/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { KeyRing } from '../../tokens/signing-keys/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { createAuthenticateClient } from './client.ts';
import { createActFor } from './delegated.ts';
import { addressesOf } from './addresses.ts';
import { createIdentify } from './identify.ts';
import { createMint } from './mint.ts';
import { createIssueToken } from './service.ts';
import { createThrottle } from './throttle.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly apiKeys: ApiKeys;
  readonly verifyToken: VerifyToken;
  readonly notes: Notes;
  readonly baseUrl: () => string;
}

export function bindTokenEndpoint(router: Router, dependencies: Dependencies): void {
  const { gate, clock, egress, notes, baseUrl } = dependencies;
  const tokenEndpoints = ({ id }: Tenant) => addressesOf(id, baseUrl()).tokenEndpoints;
  const verifyAssertion = createVerifyClientAssertion({ gate, clock, tokenEndpoints });
  const issuerKeys = createIssuerKeys(egress, clock);
  const throttle = createThrottle(gate, clock);
  const identify = createIdentify({
    throttle,
    notes,
    authenticateClient: createAuthenticateClient({ ...dependencies, verifyAssertion }),
    verifyWorkloadToken: createVerifyWorkloadToken(gate, issuerKeys, clock),
  });
  const mint = createMint(dependencies);
  const issue = createIssueToken({ identify, mint, notes, actFor: createActFor(dependencies) });
  router.addAll([issueToken, issueTokenByIssuer], ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    return issue({ tenant, parameters: body, authorization, from }, fail);
  });
}
