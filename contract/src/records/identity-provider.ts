import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { DomainName } from './origins.ts';
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
const Domains = Type.Array(DomainName, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Domains of e-mail addresses that the provider is authoritative for: it decides who has an address there. Without them, an address that it calls verified is not trusted, except to ask its user to prove the account.',
  examples: [['acme.example.com']],
});
const LinkPolicy = Type.Enum(['ask', 'auto', 'never'], {
  description:
    'What happens when an unknown identity has the verified address of a user. `ask`: the user proves the account in another way first. `auto`: for addresses of `domains` it is linked at once; for others as `ask`. `never`: the login is rejected.',
});
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
    domains: Domains,
    link: LinkPolicy,
    callback_url: Type.String({
      description: 'Redirect address, to be registered at the provider.',
      examples: ['https://id.example.com/t/org_acme/callback/idp_01m81e4vr3f7k2m9x5q0t6w8za'],
    }),
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
  domains: Type.Optional(Domains),
  link: Type.Optional(LinkPolicy),
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
  domains: Type.Optional(Domains),
  link: Type.Optional(LinkPolicy),
  is_active: Type.Optional(IsActive),
};

/** What login pages show of a provider. */
export const PublicProvider = Type.Object(
  { id: IdentityProviderIdSchema, tenant_id: TenantIdSchema, type: ProviderType, name: Name },
  { $id: 'PublicIdentityProvider', description: 'An identity provider, as login pages show it.' },
);
export type PublicProvider = Static<typeof PublicProvider>;
