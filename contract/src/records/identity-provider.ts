import Type, { type Static, type TSchema } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { type IdentityProviderId, IdentityProviderIdSchema, TenantIdSchema } from '../ids.ts';
import { DomainName } from './origins.ts';
import { CreatedAt, timestampOrNull } from './record-fields.ts';
import { secret } from './tokens.ts';

const PROVIDER_TYPES = ['oidc', 'google', 'microsoft', 'apple', 'github', 'oauth2'] as const;

const ProviderType = Type.Enum([...PROVIDER_TYPES], {
  description:
    'Type of the provider. `oidc`: any OpenID Connect provider with discovery. `oauth2`: any OAuth 2.0 provider with an endpoint that returns the user’s profile.',
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
    'Issuer, exactly as the provider writes it: a public https URL without a query, or a URL that the operator allows. Required for `oidc` and `oauth2`; for other types, defaults to the issuer of the public service. `microsoft`: `common`, `organizations` and `consumers` instead of a tenant require `allowed_tenants`. `github`: the URL of your GitHub server.',
  examples: ['https://accounts.google.com'],
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'printable ASCII without spaces',
  description: 'Client ID that the provider issued.',
  examples: ['keywright'],
});
const ScopeNames = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: 100,
    // RFC 6749 §3.3.
    pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$',
    [EXPECTS]: 'printable ASCII without spaces, quotes and backslashes',
    description: 'A scope defined by the provider.',
    examples: ['email'],
  }),
  { maxItems: 20, uniqueItems: true, description: 'Scopes to request in addition to `openid`.' },
);
const IsActive = Type.Boolean({ description: 'Whether users can sign in with the provider.' });
const SkipTest = Type.Boolean({
  description:
    'Enables the provider, or changes an active provider, without a successful test of these settings. The audit log records this. Default: false.',
});
const Endpoint = (what: string, example: string) =>
  Type.String({
    minLength: 8,
    maxLength: 512,
    description: `Required for \`oauth2\`, rejected for other types: ${what}`,
    examples: [example],
  });
const SubjectClaim = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[\\w.-]+$',
  [EXPECTS]: 'letters, digits and characters of _ . -',
  description:
    'With `oauth2`: the field of the user’s profile that identifies the user and never changes. Default: `sub`.',
  examples: ['id'],
});
const AppleId = (what: string, example: string) =>
  Type.String({
    pattern: '^[A-Z0-9]{10}$',
    [EXPECTS]: '10 capital letters and digits',
    description: `Required for \`apple\`, rejected for other types: ${what}`,
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
        'With `microsoft`: the directories (`tid`) whose users can sign in. If empty, only the directory of the issuer.',
    },
  ),
  team_id: AppleId('the ID of the team.', '8K2M4P6Q9R'),
  key_id: AppleId(
    'the ID of the key. The client secret is the contents of its .p8 file.',
    'ABC123DEFG',
  ),
  authorization_endpoint: Endpoint(
    'the authorization endpoint.',
    'https://id.example.com/oauth/authorize',
  ),
  token_endpoint: Endpoint('the token endpoint.', 'https://id.example.com/oauth/token'),
  userinfo_endpoint: Endpoint(
    'the endpoint that returns the user’s profile.',
    'https://id.example.com/api/user',
  ),
  subject_claim: SubjectClaim,
};
const Domains = Type.Array(DomainName, {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Email domains that the provider is authoritative for: it decides who owns an email address there. An email address in another domain is not trusted even if the provider reports it as verified; the user must also prove the account.',
  examples: [['acme.example.com']],
});
const LinkPolicy = Type.Enum(['ask', 'auto', 'never'], {
  description:
    'Handling of an unknown identity with the verified email address of a user. `ask`: the user first proves the account in another way. `auto`: the identity is linked immediately if the email address is in `domains`; otherwise, and for users whose roles carry scopes, like `ask`. `never`: the login is rejected.',
});
const TrustMfa = Type.Boolean({
  description:
    'Whether a login counts as two factors if the provider reports that it verified two, with `mfa` in the `amr` of its ID token or a known `acr` value. It never replaces the second factor of a user whose roles carry scopes. Not for `github` and `oauth2`, which issue no ID tokens. Default: false.',
});
const ClientSecret = secret({
  minLength: 1,
  maxLength: 1024,
  pattern: '^[\\x20-\\x7e\\r\\n]+$',
  [EXPECTS]: 'printable ASCII',
  description:
    'Client secret that the provider issued. Never shown again. Required for active providers of type `google`, `microsoft`, `apple` and `github`. `apple`: the contents of the key file.',
  examples: ['a-secret-of-the-provider'],
});

const orNull = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { description: '`null` if this type does not use the field.' });
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

const CallbackUrl = Type.String({
  description: 'Redirect URI to register at the provider.',
  examples: ['https://id.example.com/t/org_acme/callback/idp_01m81e4vr3f7k2m9x5q0t6w8za'],
});

/** What is known of a provider before it is created. */
export const PreparedProvider = Type.Object(
  {
    id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    callback_url: CallbackUrl,
    demo_issuer: Type.Union([Type.String(), Type.Null()], {
      description:
        'The issuer of a demo provider on the developer’s machine, where the client ID `demo` is registered and everyone can sign in. Null in production.',
      examples: [null],
    }),
  },
  { $id: 'PreparedIdentityProvider', description: 'The ID and callback URL of a new provider.' },
);
export type PreparedProvider = Static<typeof PreparedProvider>;

export const IdentityProviderRecord = Type.Object(
  {
    id: IdentityProviderIdSchema,
    tenant_id: TenantIdSchema,
    type: ProviderType,
    name: Name,
    issuer: Issuer,
    client_id: ClientId,
    has_client_secret: Type.Boolean({
      description:
        'Whether a client secret is stored. Without a secret, the tenant is a public client at the provider.',
    }),
    scopes: ScopeNames,
    domains: Domains,
    link: LinkPolicy,
    trust_mfa: TrustMfa,
    ...SHOWN_SETTINGS,
    callback_url: CallbackUrl,
    is_active: IsActive,
    tested_at: timestampOrNull(
      'When a test login with the current settings succeeded; `null` if there was none.',
    ),
    created_at: CreatedAt,
  },
  {
    $id: 'IdentityProvider',
    description: 'An identity provider that users of the tenant can sign in with.',
  },
);
export type IdentityProviderRecord = Static<typeof IdentityProviderRecord>;

export const NEW_PROVIDER = {
  id: Type.Optional(
    Type.Unsafe<IdentityProviderId>({
      ...IdentityProviderIdSchema,
      description:
        'An ID from `GET /identity-providers/new/callback`, at most 24 hours old, so that its callback URL is known beforehand. Default: a new ID.',
    }),
  ),
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
        'Whether users can sign in with the provider. A new provider can be active only with `skip_test`. Default: false.',
    }),
  ),
  skip_test: Type.Optional(SkipTest),
};

export const PROVIDER_CHANGE = {
  name: Type.Optional(Name),
  issuer: Type.Optional(Issuer),
  client_id: Type.Optional(ClientId),
  client_secret: Type.Optional(
    Type.Union([ClientSecret, Type.Null()], { description: 'Client secret. `null` removes it.' }),
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
  { $id: 'PublicIdentityProvider', description: 'An identity provider, as shown on login pages.' },
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
  {
    $id: 'Identity',
    description: 'A user’s identity at a provider. The user can sign in with it.',
  },
);
export type IdentityRecord = Static<typeof IdentityRecord>;
