import type { OAuthClientId } from '@keywright/contract/ids';
import { issueToken, issueTokenByIssuer } from '@keywright/contract/routes/token';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import type { BearerService } from '../../authentication/bearer/index.ts';
import type { Spend } from '../../tokens/proofs/index.ts';
import type { Notes } from '../../events/journal/index.ts';
import type { KeyRing, SignJwt, VerifyOwnJwt } from '../../tokens/signing-keys/index.ts';
import type { Dpop } from '../../tokens/access-tokens/index.ts';
import type { RedeemCode, Refresh } from '../../tokens/sessions/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import { createSubjectFor, createIdToken } from '../id-tokens/index.ts';
import type { AuthorizationCodes } from '../codes/index.ts';
import { createVerifyAssertion } from '../identity-assertions/index.ts';
import type { DeviceGrants } from '../device-grants/index.ts';
import type { FindResources } from '../resources/index.ts';
import { createSignalTokens } from '../signals/index.ts';
import { createCodeGrant } from './code-grant.ts';
import { createDeviceGrant } from './device-grant.ts';
import { createRefreshGrant } from './refresh-grant.ts';
import { createActFor } from './delegated.ts';
import { requireProofUnderFapi2 } from './fapi2.ts';
import type { Identify } from './identify.ts';
import { createApplicationExchange } from './application-exchange.ts';
import { createAssertionGrant } from './assertion-grant.ts';
import { createMint } from './mint.ts';
import { createIssueToken } from './service.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly signJwt: SignJwt;
  readonly verifyOwnJwt: VerifyOwnJwt;
  readonly egress: Egress;
  readonly spend: Spend;
  readonly bits: TokenBits;
  readonly clock: Clock;
  readonly bearer: BearerService;
  readonly notes: Notes;
  readonly identify: Identify;
  readonly dpop: Dpop;
  readonly findResources: FindResources;
  readonly noteClientUse: NoteUse<OAuthClientId>;
  readonly deviceGrants: DeviceGrants;
  readonly codes: AuthorizationCodes;
  readonly redeemCode: RedeemCode;
  readonly refresh: Refresh;
  readonly refreshFixed: Refresh;
}

export function bindTokenEndpoint(router: Router, dependencies: Dependencies): void {
  const { keys, clock, notes, identify, findResources, noteClientUse, dpop } = dependencies;
  const { deviceGrants, redeemCode, refresh, refreshFixed } = dependencies;
  const subjectFor = createSubjectFor(keys);
  const idToken = createIdToken({ ...dependencies, subjectFor });
  const redeeming = { identify, redeem: redeemCode, idToken, findResources, noteClientUse };
  const mint = createMint(dependencies);
  const issue = createIssueToken({
    identify,
    notes,
    findResources,
    mint,
    applicationExchange: createApplicationExchange({ ...dependencies, mint }),
    assertionGrant: createAssertionGrant({
      ...dependencies,
      mint,
      verifyAssertion: createVerifyAssertion(dependencies),
    }),
    signalTokens: createSignalTokens(dependencies),
    actFor: createActFor(dependencies),
    codeGrant: createCodeGrant({
      ...redeeming,
      codes: dependencies.codes,
      clock,
    }),
    deviceGrant: createDeviceGrant({ ...redeeming, deviceGrants }),
    refreshGrant: createRefreshGrant({
      gate: dependencies.gate,
      identify,
      refresh,
      refreshFixed,
      idToken,
      findResources,
      noteClientUse,
    }),
  });
  router.addAll(
    [issueToken, issueTokenByIssuer],
    async ({ tenant, body, headers, from, proof }, fail) => {
      const { authorization } = headers;
      const key = await dpop.prove(tenant, proof, fail);
      requireProofUnderFapi2(tenant, key, fail);
      return issue({ tenant, parameters: body, authorization, from, key }, fail);
    },
  );
}
