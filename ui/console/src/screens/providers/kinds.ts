import type { IdentityProvider } from '@keywright/sdk';
import type { FieldFacts } from '../../api/field-facts.ts';

export type ProviderType = IdentityProvider['type'];

export const PROVIDER_TYPES = [
  'google',
  'microsoft',
  'apple',
  'github',
  'oidc',
  'oauth2',
] as const satisfies readonly ProviderType[];

/** Where a client of each kind is registered; undefined: each provider has a place of its own. */
export const REGISTRIES: Readonly<Partial<Record<ProviderType, string>>> = {
  google: 'https://console.cloud.google.com/apis/credentials',
  microsoft: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
  apple: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
  github: 'https://github.com/settings/developers',
};

/** What only some kinds have, and what they cannot be without. */
const OF_KIND: Readonly<Record<ProviderType, { readonly [field: string]: 'needed' | 'optional' }>> =
  {
    google: {},
    microsoft: { issuer: 'optional', allowed_tenants: 'optional' },
    apple: { team_id: 'needed', key_id: 'needed' },
    github: { issuer: 'optional' },
    oidc: { issuer: 'needed', scopes: 'optional' },
    oauth2: {
      issuer: 'needed',
      authorization_endpoint: 'needed',
      token_endpoint: 'needed',
      userinfo_endpoint: 'needed',
      subject_claim: 'optional',
      scopes: 'optional',
    },
  };
const COMMON = ['name', 'client_id', 'client_secret'];
/** How identities become users: which addresses are believed, and what a login there counts for. */
const MAPPING = ['link', 'domains', 'trust_mfa'];

/** The fields of a provider of this kind, as they are for it. */
export function factsOfKind(
  facts: readonly FieldFacts[],
  type: ProviderType,
): readonly FieldFacts[] {
  const own = OF_KIND[type];
  // Plain OAuth 2.0 has no ID token that could say how somebody logged in.
  const hasNoIdToken = type === 'github' || type === 'oauth2';
  const mapping = MAPPING.filter((name) => !(hasNoIdToken && name === 'trust_mfa'));
  const names = [...COMMON, ...Object.keys(own), ...mapping];
  return names.flatMap((name) => {
    const field = facts.find((one) => one.name === name);
    if (!field) return [];
    const { isLong: _, ...short } = field;
    // A key file has lines; every other secret is one.
    const shown = type === 'apple' ? field : short;
    return [{ ...shown, ...(own[name] === 'needed' && { required: true as const }) }];
  });
}
