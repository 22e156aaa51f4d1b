import type { IdentityProviderId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import {
  outsideSignatureIsValid,
  parseOutsideToken,
} from '../../../platform/crypto/outside-jws.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  findProvider,
  providerOf,
  identityOf,
} from '../../authentication/identity-providers/index.ts';
import { createIssuerKeys, endOf, type Spend } from '../../tokens/proofs/index.ts';
import type { KnownClient } from '../clients/index.ts';
import { type Assertion, readAssertion } from './rules.ts';

/** A genuine assertion, which is used up. */
export interface Vouched extends Assertion {
  /** Whose it is. */
  readonly providerId: IdentityProviderId;
  /** Whether the tenant takes the provider's word that it verified two factors. */
  readonly hasTwoFactors: boolean;
}

/** Decides whether a client may present this assertion, and whether an issuer made it that the client's tenant trusts. */
export type VerifyAssertion = (
  tenant: Tenant,
  client: KnownClient,
  text: string,
  jkt: string | undefined,
) => Promise<Vouched | { readonly refusal: string }>;

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly egress: Egress;
  readonly spend: Spend;
}

/** RFC 7523 §3, draft-ietf-oauth-identity-assertion-authz-grant. */
export function createVerifyAssertion({
  gate,
  clock,
  egress,
  spend,
}: Dependencies): VerifyAssertion {
  const issuerKeys = createIssuerKeys(egress, clock);
  return async (tenant, client, text, jkt) => {
    const token = parseOutsideToken(text);
    if (!token) return { refusal: 'malformed' };
    // Whatever needs no key is checked first.
    const expected = { issuer: tenant.issuer, clientId: client.id, jkt };
    const assertion = readAssertion(token, expected, clock.now());
    if ('refusal' in assertion) return assertion;
    const { issuer, subject, jti } = assertion;
    // Keys are fetched only from providers whose assertions this client may present.
    const provider = await findTrusted(gate, tenant, client, issuer);
    if (!provider) return { refusal: 'iss' };
    const found = await issuerKeys.find(tenant.id, issuer, token);
    if (!found.key) return { refusal: found.refusal };
    if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };
    const endsAt = endOf(token.claims);
    if (!(await spend({ tenantId: tenant.id, maker: issuer, jti, endsAt }))) {
      return { refusal: 'used before' };
    }
    const { has_mfa: hasMfa } = identityOf(provider, subject, token.claims);
    const hasTwoFactors = provider.settings.trust_mfa && hasMfa;
    return { ...assertion, providerId: provider.id, hasTwoFactors };
  };
}

/** The provider with this issuer, of those that the client names. */
async function findTrusted(
  gate: Gate,
  { id }: Tenant,
  { identity_assertions: { providers } }: KnownClient,
  issuer: string,
) {
  const rows = await gate
    .into(id)
    .transaction((tx) => Promise.all(providers.map((one) => findProvider(tx, one))));
  return rows
    .flatMap((row) => (row?.is_active && row.type === 'oidc' ? providerOf(row) : []))
    .find(({ settings }) => settings.issuer === issuer);
}
