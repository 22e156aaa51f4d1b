import type { Fail } from '@keywright/contract/errors';
import { parseIdentityProviderId, type TenantId } from '@keywright/contract/ids';
import { parseOutsideToken } from '../../../platform/crypto/outside-jws.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { anonymous, type Notes } from '../../events/journal/index.ts';
import type { IssuerKeys } from '../../machines/proofs/index.ts';
import {
  callbackUrlOf,
  checkIdToken,
  clientSecretOf,
  derivedOf,
  exchangeCode,
  identityOf,
  newHandoff,
  type Provider,
  type Returned,
  stateHash,
  type UpstreamIdentity,
  UpstreamRefused,
} from '../upstream/index.ts';
import { type BeginDependencies, findActive } from './begin.ts';
import { leaveIdentity, takeState } from './store.ts';

export interface CallbackDependencies extends BeginDependencies {
  readonly egress: Egress;
  readonly issuerKeys: IssuerKeys;
  readonly notes: Notes;
}

/** What the browser came back with. */
interface Return {
  readonly provider: string;
  readonly parameters: Omit<Returned, 'state'> & { readonly state?: string | undefined };
  readonly from: Origin;
}

/**
 * Takes the browser back from a provider. The state is used up, whatever comes of it.
 * @returns where the browser is sent on
 */
export async function takeReturn(
  dependencies: CallbackDependencies,
  tenant: Tenant,
  { provider: id, parameters, from }: Return,
  fail: Fail<'PROVIDER_REFUSED'>,
): Promise<URL> {
  const { gate, clock, notes } = dependencies;
  const providerId = parseIdentityProviderId(id) ?? fail('PROVIDER_REFUSED');
  const { state = '', ...rest } = parameters;
  const hash = stateHash(state);
  const data = gate.into(tenant.id);
  const taken =
    (await data.transaction((tx) => takeState(tx, providerId, hash))) ?? fail('PROVIDER_REFUSED');
  const backTo = new URL(taken.return_url);
  try {
    const provider = (await findActive(data, providerId)) ?? refuse('inactive');
    const returned = { state, ...rest };
    const asksLogin = taken.asks_login;
    const identity = await identify(dependencies, tenant.id, provider, { returned, asksLogin });
    const handoff = newHandoff(clock.now());
    const isLeft = await data.transaction((tx) => leaveIdentity(tx, hash, handoff, identity));
    if (!isLeft) refuse('replaced');
    backTo.searchParams.set('handoff', handoff.handoff);
  } catch (error) {
    if (!(error instanceof UpstreamRefused)) throw error;
    notes.note(tenant.id, anonymous(from), {
      action: 'auth.login_failed',
      target: { kind: 'identifier', id: null },
      outcome: 'failure',
      details: { reason: `provider_${error.reason}`, identifier: null, flow_id: taken.flow_id },
    });
    const isDeclined = error.reason === DECLINED && parameters.error === 'access_denied';
    backTo.searchParams.set('error', isDeclined ? 'access_denied' : 'provider_refused');
  }
  return backTo;
}

/** How the library names an answer with an `error`. */
const DECLINED = 'oauth_authorization_response_error';

function refuse(reason: string): never {
  throw new UpstreamRefused(reason);
}

interface Login {
  readonly returned: Returned;
  readonly asksLogin: boolean;
}

/** @throws UpstreamRefused */
async function identify(
  dependencies: CallbackDependencies,
  tenantId: TenantId,
  provider: Provider,
  { returned, asksLogin }: Login,
): Promise<UpstreamIdentity> {
  const { egress, dataKeys, baseUrl, findMetadata } = dependencies;
  const metadata = await findMetadata(tenantId, provider.settings.issuer);
  const { nonce, verifier, clientSecret } = await dataKeys.use(tenantId, (key) => ({
    ...derivedOf(key, returned.state),
    clientSecret: clientSecretOf(key, provider),
  }));
  const { idToken } = await exchangeCode(egress, {
    tenantId,
    metadata,
    clientId: provider.clientId,
    clientSecret,
    redirectUri: callbackUrlOf(baseUrl(), provider),
    verifier,
    returned,
  });
  return readIdToken(dependencies, tenantId, provider, { idToken, nonce, asksLogin });
}

interface Received {
  readonly idToken: string | undefined;
  readonly nonce: string;
  readonly asksLogin: boolean;
}

async function readIdToken(
  { issuerKeys, clock }: CallbackDependencies,
  tenantId: TenantId,
  { clientId, settings }: Provider,
  { idToken, nonce, asksLogin }: Received,
): Promise<UpstreamIdentity> {
  const token = parseOutsideToken(idToken ?? '') ?? refuse('id_token_malformed');
  const { issuer } = settings;
  const found = await issuerKeys.find(tenantId, issuer, token);
  if (!found.key) return refuse('id_token_key');
  const expected = { issuer, clientId, nonce, asksLogin };
  const checked = checkIdToken(token, [found.key], expected, clock.now());
  if (checked.refusal !== undefined) return refuse(`id_token_${checked.refusal}`);
  return identityOf(settings, checked.subject, token.claims);
}
