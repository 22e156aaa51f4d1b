import type { IdentityProvider } from '@keywright/sdk';
import type { FieldFacts } from '../../api/field-facts.ts';
import { providerCreate, providerUpdate } from '../../generated/facts.ts';

export type ProviderType = IdentityProvider['type'];

export const PROVIDER_TYPES = [
  'google',
  'microsoft',
  'apple',
  'github',
  'oidc',
  'oauth2',
] as const satisfies readonly ProviderType[];

/** Where a client of each kind is registered; undefined: each provider has its own place. */
export const REGISTRIES: Readonly<Partial<Record<ProviderType, string>>> = {
  google: 'https://console.cloud.google.com/apis/credentials',
  microsoft: 'https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade',
  apple: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
  github: 'https://github.com/settings/developers',
};

/** Fields that only some kinds have, and whether the kind requires them. */
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
const PUBLIC_SERVICES: readonly ProviderType[] = ['google', 'microsoft', 'apple', 'github'];
const COMMON = ['name', 'client_id', 'client_secret'];
/** How identities become users: which addresses are trusted, and what a login there counts for. */
const MAPPING = ['link', 'domains', 'trust_mfa'];

/** What the provider calls the field for the callback URL, and what it issues. */
export const REGISTRATIONS: Readonly<
  Record<ProviderType, { readonly field: string; readonly issued: readonly string[] }>
> = {
  google: { field: 'Authorized redirect URIs', issued: ['Client ID', 'Client secret'] },
  microsoft: {
    field: 'Redirect URI (Web)',
    issued: ['Application (client) ID', 'Client secret (Value)', 'Directory (tenant) ID'],
  },
  apple: { field: 'Return URLs', issued: ['Services ID', 'Team ID', 'Key ID', 'Key file (.p8)'] },
  github: { field: 'Authorization callback URL', issued: ['Client ID', 'Client secret'] },
  oidc: { field: 'Redirect URI', issued: ['Issuer', 'Client ID', 'Client secret'] },
  oauth2: { field: 'Redirect URI', issued: ['Client ID', 'Client secret'] },
};

/**
 * Returns the fields of a new provider. A public service is named after its company, and what decides who can sign in
 * is folded. The service also stores a public service without a secret, but no test
 * accepts it.
 */
export function factsOfCreation(type: ProviderType): readonly FieldFacts[] {
  const facts = factsOfKind(providerCreate, type).map((field) => ofNewProvider(field, type));
  if (!isPublicService(type)) return facts;
  return facts.flatMap((field) => {
    if (field.name === 'name') return [];
    return [field.name === 'client_secret' ? { ...field, required: true } : field];
  });
}

export function isPublicService(type: ProviderType): boolean {
  return PUBLIC_SERVICES.includes(type);
}

/** What client IDs of each kind look like. */
const CLIENT_IDS: Readonly<Partial<Record<ProviderType, string>>> = {
  google: '123456789012-abc123.apps.googleusercontent.com',
  microsoft: '6f1c6b3e-0d5c-4c0e-9d1f-2f8b1a7c3e4d',
  apple: 'com.example.signin',
  github: 'Ov23liAbCdEfGhIjKlMn',
};

function ofNewProvider(field: FieldFacts, type: ProviderType): FieldFacts {
  if (field.name === 'client_id') {
    const { example: _, ...rest } = field;
    const { [type]: example } = CLIENT_IDS;
    return { ...rest, ...(example !== undefined && { example }) };
  }
  return MAPPING.includes(field.name) || field.name === 'scopes'
    ? { ...field, isRare: true }
    : field;
}

/** Returns the fields of a change. An active provider is changed without a test only explicitly. */
export function factsOfChange({
  type,
  is_active: isActive,
}: Pick<IdentityProvider, 'type' | 'is_active'>): readonly FieldFacts[] {
  const override = providerUpdate.filter(({ name }) => isActive && name === 'skip_test');
  return [...factsOfKind(providerUpdate, type), ...override];
}

function factsOfKind(facts: readonly FieldFacts[], type: ProviderType): readonly FieldFacts[] {
  const kindFields = OF_KIND[type];
  // Plain OAuth 2.0 has no ID token that could report how the user logged in.
  const hasNoIdToken = type === 'github' || type === 'oauth2';
  const mapping = MAPPING.filter((name) => !(hasNoIdToken && name === 'trust_mfa'));
  const names = [...COMMON, ...Object.keys(kindFields), ...mapping];
  return names.flatMap((name) => {
    const field = facts.find((candidate) => candidate.name === name);
    if (!field) return [];
    const { isLong: _, ...short } = field;
    // A key file has several lines. Every other secret is a single line.
    const shown = type === 'apple' ? field : short;
    return [{ ...shown, ...(kindFields[name] === 'needed' && { required: true as const }) }];
  });
}
