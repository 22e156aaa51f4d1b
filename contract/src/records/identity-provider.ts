import Type, { type Static, type TSchema } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { DomainName } from './origins.ts';
import { CreatedAt, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

const PROVIDER_TYPES = ['oidc', 'google', 'microsoft', 'apple', 'github', 'oauth2'] as const;

const ProviderType = Type.Enum([...PROVIDER_TYPES], {
  description:
    '`oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the profile of the user.',
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
    'Issuer, exactly as the provider writes it: a public https address without a query, or one that the operator allows. Needed for `oidc` and `oauth2`; default for the others: that of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant only with `allowed_tenants`. `github`: the address of your own server.',
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
  { maxItems: 20, uniqueItems: true, description: 'Scopes to request in addition to `openid`.' },
);
const IsActive = Type.Boolean({ description: 'Whether users can log in with it.' });
const SkipTest = Type.Boolean({
  description:
    'Enables the provider, or changes an active one, without an accepted test of these settings. The audit log records it. Default false.',
});
const Endpoint = (what: string, example: string) =>
  Type.String({
    minLength: 8,
    maxLength: 512,
    description: `Required with \`oauth2\`, and rejected otherwise: ${what}`,
    examples: [example],
  });
const SubjectClaim = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w.-]+$',
  [EXPECTS]: 'letters, digits and characters of _ . -',
  description: 'With `oauth2`: the field of the user’s profile that never changes. Default `sub`.',
  examples: ['id'],
});
const AppleId = (what: string, example: string) =>
  Type.String({
    pattern: '^[A-Z0-9]{10}$',
    [EXPECTS]: '10 capital letters and digits',
    description: `Required with \`apple\`, and rejected otherwise: ${what}`,
    examples: [example],
  });
/** Settings of single types. */
const SETTINGS = {
  allowed_tenants: Type.Array(
    Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      [EXPECTS]: 'a UUID in lower case',
      examples: ['6f1c6b3e-0d5c-4c0e-9d1f-2f8b1a7c3e4d'],
    }),
    {
      maxItems: 100,
      uniqueItems: true,
      description:
        'With `microsoft`: the directories (`tid`) whose users may log in. Empty: that of the issuer.',
    },
  ),
  team_id: AppleId('the id of the team.', '8K2M4P6Q9R'),
  key_id: AppleId('the id of the key, whose file (.p8) is the client secret.', 'ABC123DEFG'),
  authorization_endpoint: Endpoint(
    'the authorization endpoint.',
    'https://id.example.com/oauth/authorize',
  ),
  token_endpoint: Endpoint('the token endpoint.', 'https://id.example.com/oauth/token'),
  userinfo_endpoint: Endpoint(
    'the endpoint that returns the profile of the user.',
    'https://id.example.com/api/user',
  ),
  subject_claim: SubjectClaim,
};
const Domains = Type.Array(DomainName, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Domains of email addresses that the provider is authoritative for: it decides who has an address there. Without them, an address that it calls verified is not trusted, except to ask its user to prove the account.',
  examples: [['acme.example.com']],
});
const LinkPolicy = Type.Enum(['ask', 'auto', 'never'], {
  description:
    'What happens when an unknown identity has the verified address of a user. `ask`: the user first proves the account in another way. `auto`: for addresses of `domains` it is linked immediately; for others, and for users whose roles carry scopes, as with `ask`. `never`: the login is rejected.',
});
const TrustMfa = Type.Boolean({
  description:
    'Whether a login for which the provider says that it verified two factors counts as two here: by `mfa` in `amr` of its ID token, or a known value of `acr`. It never replaces the second factor of a user whose roles carry scopes. Default false. Not for `github` and `oauth2`, which issue no ID tokens.',
});
const ClientSecret = secret({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x20-\\x7e\\r\\n]+$',
  [EXPECTS]: 'printable ASCII',
  description:
    'Client secret that the provider issued; never shown again. Required for an active provider of the type `google`, `microsoft`, `apple` or `github`. `apple`: the text of the key file.',
  examples: ['a-secret-of-the-provider'],
});

const orNull = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: 'Null: not used by this type.' });
const { allowed_tenants, ...single } = SETTINGS;
const SHOWN_SETTINGS = {
  allowed_tenants,
  team_id: orNull(single.team_id),
  key_id: orNull(single.key_id),
  authorization_endpoint: orNull(single.authorization_endpoint),
  token_endpoint: orNull(single.token_endpoint),
  userinfo_endpoint: orNull(single.userinfo_endpoint),
  subject_claim: orNull(single.subject_claim),
};

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
    trust_mfa: TrustMfa,
    ...SHOWN_SETTINGS,
    callback_url: Type.String({
      description: 'Redirect address, to be registered at the provider.',
      examples: ['https://id.example.com/t/org_acme/callback/idp_01m81e4vr3f7k2m9x5q0t6w8za'],
    }),
    is_active: IsActive,
    tested_at: timestampOrNull(
      'When a test login with the current settings was accepted; null: never.',
    ),
    created_at: CreatedAt,
  },
  { $id: 'IdentityProvider', description: 'A provider at which users of the tenant log in.' },
);
export type IdentityProviderRecord = Static<typeof IdentityProviderRecord>;

export const NEW_PROVIDER = {
  type: ProviderType,
  name: Name,
  issuer: Type.Optional(Issuer),
  client_id: ClientId,
  client_secret: Type.Optional(ClientSecret),
  scopes: Type.Optional(ScopeNames),
  domains: Type.Optional(Domains),
  link: Type.Optional(LinkPolicy),
  trust_mfa: Type.Optional(TrustMfa),
  ...Type.Partial(Type.Object(SETTINGS)).properties,
  is_active: Type.Optional(
    Type.Boolean({
      description:
        'Whether users can log in with it: a new provider only with `skip_test`. Default false.',
    }),
  ),
  skip_test: Type.Optional(SkipTest),
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
  trust_mfa: Type.Optional(TrustMfa),
  ...Type.Partial(Type.Object(SETTINGS)).properties,
  is_active: Type.Optional(IsActive),
  skip_test: Type.Optional(SkipTest),
};

/** The fields of a provider that login pages display. */
export const PublicProvider = Type.Object(
  { id: IdentityProviderIdSchema, tenant_id: TenantIdSchema, type: ProviderType, name: Name },
  { $id: 'PublicIdentityProvider', description: 'An identity provider, as login pages show it.' },
);
export type PublicProvider = Static<typeof PublicProvider>;

/** An identity of a user. Its subject is omitted, because it is meaningful only to the provider. */
export const IdentityRecord = Type.Object(
  {
    provider_id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    type: ProviderType,
    name: Name,
    is_active: Type.Boolean({ description: 'Whether the provider is active.' }),
  },
  { $id: 'Identity', description: 'An identity at a provider, which logs its user in.' },
);
export type IdentityRecord = Static<typeof IdentityRecord>;
