import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { CreatedAt } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The types that can be added. */
const PROVIDER_TYPES = ['oidc'] as const;

const ProviderType = Type.Enum([...PROVIDER_TYPES], {
  description: '`oidc`: any provider of OpenID Connect with discovery.',
  examples: ['oidc'],
});
const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Display name.',
  examples: ['Google'],
});
const Issuer = Type.String({
  minLength: 8,
  maxLength: 512,
  description:
    'Issuer, exactly as the provider writes it: a public https address without a query, or one that the operator allows.',
  examples: ['https://accounts.google.com'],
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'printable ASCII without spaces',
  description: 'Client id that the provider issued.',
  examples: ['keywright'],
});
const ScopeNames = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 100,
    // RFC 6749 §3.3.
    pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
    [EXPECTS]: 'printable ASCII without spaces, quotes and backslashes',
    description: 'A scope of the provider.',
    examples: ['email'],
  }),
  { maxItems: 20, uniqueItems: true, description: 'Scopes to request, beside `openid`.' },
);
const IsActive = Type.Boolean({ description: 'Whether users can log in with it.' });
const ClientSecret = secret({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x20-\\x7e]+$',
  [EXPECTS]: 'printable ASCII',
  description: 'Client secret that the provider issued; never shown again.',
  examples: ['a-secret-of-the-provider'],
});

export const IdentityProviderRecord = Type.Object(
  {
    id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    type: ProviderType,
    name: Name,
    issuer: Issuer,
    client_id: ClientId,
    has_client_secret: Type.Boolean({
      description: 'Whether a client secret is stored. Without one it is a public client.',
    }),
    scopes: ScopeNames,
    is_active: IsActive,
    created_at: CreatedAt,
  },
  { $id: 'IdentityProvider', description: 'A provider at which users of the tenant log in.' },
);
export type IdentityProviderRecord = Static<typeof IdentityProviderRecord>;

export const NEW_PROVIDER = {
  type: ProviderType,
  name: Name,
  issuer: Issuer,
  client_id: ClientId,
  client_secret: Type.Optional(ClientSecret),
  scopes: Type.Optional(ScopeNames),
  is_active: Type.Optional(IsActive),
};

export const PROVIDER_CHANGE = {
  name: Type.Optional(Name),
  issuer: Type.Optional(Issuer),
  client_id: Type.Optional(ClientId),
  client_secret: Type.Optional(
    Type.Union([ClientSecret, Type.Null()], { description: 'Client secret; null removes it.' }),
  ),
  scopes: Type.Optional(ScopeNames),
  is_active: Type.Optional(IsActive),
};
