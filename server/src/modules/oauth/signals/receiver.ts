import { scopeChallenge } from '@keywright/contract/assurance';
import type { IncomingHttpHeaders } from 'node:http';
import type { Fail } from '@keywright/contract/errors';
import type { FailureOptions } from '@keywright/contract/failure-options';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import { describeMissing, type PresentedCredential } from '../../../tenancy/presented.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Dpop } from '../../tokens/dpop/index.ts';
import { type Clients, type KnownClient, requireOAuth } from '../clients/index.ts';
import type { SignalScope, SignalTokens } from '../signal-tokens/index.ts';

export type Refuse = Fail<
  'TOKEN_INVALID' | 'TENANT_MISMATCH' | 'OAUTH_OFF' | 'SCOPE_REQUIRED' | 'SIGNALS_REFUSED'
>;

/** A receiver of shared signals: a client that may have streams. */
export interface Receiver {
  readonly tenant: Tenant;
  readonly client: KnownClient;
  readonly from: Origin;
}

/** A request of somebody who says that they are one. */
interface Asking {
  readonly tenant: Tenant;
  readonly credential: PresentedCredential | undefined;
  readonly from: Origin;
  readonly headers: IncomingHttpHeaders;
}

/** Whether it reads or changes. `ssf.manage` is enough for both (CAEP Interoperability Profile §2.7.2). */
export type RequireReceiver = (
  asking: Asking,
  scope: SignalScope,
  fail: Refuse,
) => Promise<Receiver>;

interface Dependencies {
  readonly clients: Clients;
  readonly signalTokens: SignalTokens;
  readonly dpop: Dpop;
}

const REJECTED: FailureOptions = { challenge: 'Bearer error="invalid_token"' };

export function createRequireReceiver(dependencies: Dependencies): RequireReceiver {
  const { clients, signalTokens, dpop } = dependencies;
  return async ({ tenant, credential, from, headers }, scope, fail) => {
    requireOAuth(tenant, fail);
    const presented = credential ?? fail('TOKEN_INVALID', describeMissing(headers));
    requireTenant(tenant, presented.token, fail);
    const token =
      (await signalTokens.read(tenant, presented.token)) ?? fail('TOKEN_INVALID', REJECTED);
    await dpop.requireBinding(tenant, token, presented, fail);
    const client = await clients.find(tenant.id, token.clientId);
    if (!client?.is_active) return fail('TOKEN_INVALID', REJECTED);
    if (client.shared_signals === 'none') fail('SIGNALS_REFUSED');
    if (!token.scopes.includes(scope) && !token.scopes.includes('ssf.manage')) {
      fail('SCOPE_REQUIRED', {
        detail: `The token lacks: ${scope}.`,
        challenge: scopeChallenge([scope]),
      });
    }
    return { tenant, client, from };
  };
}

/** SPEC authentication 7. Checked before the signature: a token of another tenant is rejected in any case. */
function requireTenant({ id }: Tenant, token: string, fail: Fail<'TENANT_MISMATCH'>): void {
  const { tenant_id: tenantId } = parseOutsideToken(token)?.claims ?? {};
  if (typeof tenantId === 'string' && tenantId !== id) fail('TENANT_MISMATCH', REJECTED);
}
