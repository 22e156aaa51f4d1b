import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { ApiKeys } from '../../machines/api-keys/index.ts';
import type { VerifyToken } from '../../authentication/bearer/index.ts';
import {
  createIssuerKeys,
  createVerifyClientAssertion,
  createVerifyWorkloadToken,
  findClient,
} from '../../machines/proofs/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { KeyRing, SignJwt } from '../../tokens/signing-keys/index.ts';
import { createRedeemCode, createRefresh } from '../../tokens/sessions/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findNamed } from '../clients/index.ts';
import { createSubjectFor } from '../claims/index.ts';
import { createCodes, createSeals } from '../codes/index.ts';
import { createIdToken } from '../id-tokens/index.ts';
import { type Application, createAuthenticateApplication, withMethod } from './application.ts';
import { createAuthenticateClient } from './client.ts';
import { createCodeGrant } from './code-grant.ts';
import { createRefreshGrant } from './refresh-grant.ts';
import { createActFor } from './delegated.ts';
import { addressesOf } from './addresses.ts';
import { createIdentify } from './identify.ts';
import { createMint } from './mint.ts';
import { createIssueToken } from './service.ts';
import { createThrottle } from './throttle.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly signJwt: SignJwt;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly apiKeys: ApiKeys;
  readonly verifyToken: VerifyToken;
  readonly notes: Notes;
  readonly baseUrl: () => string;
}

export function bindTokenEndpoint(router: Router, dependencies: Dependencies): void {
  const { gate, keys, clock, egress, notes, baseUrl } = dependencies;
  const tokenEndpoints = ({ id }: Tenant) => addressesOf(id, baseUrl()).tokenEndpoints;
  const verifier = { gate, clock, tokenEndpoints };
  const issuerKeys = createIssuerKeys(egress, clock);
  const throttle = createThrottle(gate, clock);
  const identify = createIdentify({
    throttle,
    notes,
    authenticateClient: createAuthenticateClient({
      ...dependencies,
      verifyAssertion: createVerifyClientAssertion({ ...verifier, find: findClient }),
    }),
    authenticateApplication: createAuthenticateApplication({
      gate,
      verifyAssertion: createVerifyClientAssertion({ ...verifier, find: findSigning }),
    }),
    verifyWorkloadToken: createVerifyWorkloadToken(gate, issuerKeys, clock),
  });
  const mint = createMint(dependencies);
  const codes = createCodes(createSeals(keys.auditKeys));
  const redeem = createRedeemCode(dependencies);
  const subjectFor = createSubjectFor(keys);
  const telling = { gate, idToken: createIdToken({ ...dependencies, subjectFor }) };
  const issue = createIssueToken({
    identify,
    mint,
    notes,
    actFor: createActFor(dependencies),
    codeGrant: createCodeGrant({ identify, codes, redeem, clock, ...telling }),
    refreshGrant: createRefreshGrant({
      identify,
      refresh: createRefresh(dependencies),
      ...telling,
    }),
  });
  router.addAll([issueToken, issueTokenByIssuer], ({ tenant, body, headers, from }, fail) => {
    const { authorization } = headers;
    return issue({ tenant, parameters: body, authorization, from }, fail);
  });
}

/** An application that signs its assertions, by its id as it was presented. */
async function findSigning(tx: TenantTx, named: string): Promise<Application | undefined> {
  return withMethod(await findNamed(tx, named), (method) => method === 'private_key_jwt');
}
