import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { closed, LINE_OF_TEXT, settingsPatch } from '../shape.ts';
import { secret } from './tokens.ts';
import { EXPECTS, EXPECTS_NAMES } from '../expectation.ts';

const LOGIN_METHODS = ['password', 'magic_link', 'oauth', 'passkey'] as const;

const ClaimLiteral = Type.Union([
  Type.String({ maxLength: 512, ...LINE_OF_TEXT }),
  Type.Number(),
  Type.Boolean(),
]);

/** A JSON pointer (RFC 6901). */
const Pointer = Type.String({
  pattern: '^(/[^/\\p{Cc}\\p{Cs}]{1,128}){1,8}$',
  [EXPECTS]:
    'a path into the metadata of 1 to 8 steps, each a slash and a name, such as /plan/name',
});

/** A value that stands for itself, or where in the user's metadata it is. */
const CustomClaim = Type.Union([
  ClaimLiteral,
  Type.Array(ClaimLiteral, { maxItems: 32 }),
  closed({ metadata: Pointer }),
  closed({
    user_metadata: Pointer,
    user_writable: Type.Literal(true, {
      description: 'Accepts that users can put any value into this claim of their own tokens.',
    }),
  }),
]);

/** Ways to log in that this version has. The others are accepted beside one of these, for versions to come. */
export const WORKING_LOGIN_METHODS: readonly (typeof LOGIN_METHODS)[number][] = ['password'];

/** As browsers write it (RFC 6454 §6.2). */
const Origin = Type.String({
  pattern:
    '^(https://([a-z0-9.-]+|\\[[0-9a-f:.]+\\])|http://([a-z0-9-]+\\.)*(localhost|127\\.[0-9]+\\.[0-9]+\\.[0-9]+|\\[::1\\]))(:[0-9]{1,5})?$',
  maxLength: 253,
  [EXPECTS]:
    'an https origin, or an http one on a loopback host, as browsers write it: https://app.example.com',
});

/** Settings of a tenant; each has a default (SPEC resources tenant config). Times are in seconds. */
export const TenantConfig = Type.Object(
  {
    allowed_login_methods: Type.Array(Type.Enum([...LOGIN_METHODS]), {
      default: [...LOGIN_METHODS],
      uniqueItems: true,
      description:
        'Only `password` works in this version; `magic_link`, `oauth` and `passkey` are planned. A list without a method that works is rejected.',
    }),
    require_mfa: Type.Boolean({
      default: false,
      description:
        'Second factors are planned. Until this version has one, `true` is rejected: nobody could log in.',
    }),
    password_min_length: Type.Integer({ minimum: 8, maximum: 256, default: 12 }),
    password_require_special: Type.Boolean({ default: false }),
    session_timeout: Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 3600,
      description: 'Life of an access token.',
    }),
    refresh_token_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 2_592_000,
      description: 'Life of a refresh token; each use starts it anew.',
    }),
    refresh_token_absolute_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 7_776_000,
      description: 'After this long a session ends, however often it was refreshed.',
    }),
    refresh_retry_window: Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 30,
      description: 'For this long a used refresh token yields its successor once more.',
    }),
    login_attempts_limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 10 }),
    login_attempts_window: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
    login_attempts_address_limit: Type.Union(
      [Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()],
      {
        default: null,
        description:
          'Attempts of one address within the window, for any identifiers; null: ten times login_attempts_limit.',
      },
    ),
    registrations_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: 'Registrations within an hour, from any address.',
    }),
    registrations_address_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 20,
      description: 'Registrations from one address within an hour.',
    }),
    allow_registration: Type.Boolean({ default: true }),
    audience: Type.Union(
      [Type.String({ minLength: 1, maxLength: 255, ...LINE_OF_TEXT }), Type.Null()],
      {
        default: null,
        description: '`aud` of access tokens; null: the issuer.',
      },
    ),
    allowed_origins: Type.Array(Origin, {
      maxItems: 32,
      uniqueItems: true,
      default: [],
      description:
        'Origins whose scripts may read answers in a browser: https, or http on a loopback host.',
    }),
    custom_claims: Type.Record(
      Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_:/.-]{0,63}$' }),
      CustomClaim,
      {
        default: {},
        additionalProperties: false,
        maxProperties: 32,
        [EXPECTS_NAMES]:
          'a letter, and up to 63 letters, digits and characters of _ : / . - behind it',
        description: 'Claims added to the access tokens of users.',
      },
    ),
  },
  { $id: 'TenantConfig', additionalProperties: false },
);
export type TenantConfig = Static<typeof TenantConfig>;

export const TenantConfigPatch = settingsPatch(TenantConfig.properties, 'TenantConfigPatch');
export type TenantConfigPatch = Static<typeof TenantConfigPatch>;

/** The bounds of a secret that don't depend on the tenant, in characters after NFKC. */
export const SECRET_MAX_LENGTH = 256;

const HttpsUrl = Type.String({
  pattern: '^https://[^\\s/?#\\p{Cc}\\p{Cs}]+[^\\s\\p{Cc}\\p{Cs}]*$',
  maxLength: 2048,
  [EXPECTS]: 'an https address, such as https://example.com/logo.png',
  description: 'An https address.',
});
const Color = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  [EXPECTS]: 'a color of the form #rrggbb',
  description: '#rrggbb',
});
const Mailbox = Type.String({
  pattern: '^[^\\s@<>\\p{Cc}\\p{Cs}]+@[^\\s@<>\\p{Cc}\\p{Cs}]+$',
  [EXPECTS]: 'an e-mail address',
  maxLength: 254,
});
const Line = Type.String({ minLength: 1, maxLength: 255, ...LINE_OF_TEXT });
const Host = Type.String({
  pattern: '^[A-Za-z0-9.:\\[\\]-]{1,253}$',
  [EXPECTS]: 'a host name or an address',
});

/** How the tenant's pages and mails look (SPEC resources tenant). */
const BRANDING = {
  logo_url: HttpsUrl,
  primary_color: Color,
  secondary_color: Color,
  company_name: Line,
  support_email: Mailbox,
};
export const TenantBranding = Type.Partial(Type.Object(BRANDING), {
  $id: 'TenantBranding',
  additionalProperties: false,
});
export type TenantBranding = Static<typeof TenantBranding>;

export const TenantBrandingPatch = settingsPatch(BRANDING, 'TenantBrandingPatch');
export type TenantBrandingPatch = Static<typeof TenantBrandingPatch>;

/** What a write-only secret reads as. */
export const MASKED_SECRET = '********';

/** How the tenant's messages are sent. The secrets are written, and never read. */
const EMAIL = {
  provider: Line,
  smtp_host: Host,
  smtp_port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  smtp_username: Line,
  smtp_password: secret({ minLength: 1, maxLength: 1024 }),
  from_address: Mailbox,
};
const SMS = {
  provider: Line,
  account_sid: Line,
  auth_token: secret({ minLength: 1, maxLength: 1024 }),
};
export const TenantMessaging = Type.Partial(
  Type.Object({
    email: Type.Partial(Type.Object(EMAIL), { additionalProperties: false }),
    sms: Type.Partial(Type.Object(SMS), { additionalProperties: false }),
  }),
  { $id: 'TenantMessaging', additionalProperties: false },
);
export type TenantMessaging = Static<typeof TenantMessaging>;

export const TenantMessagingPatch = settingsPatch(
  {
    email: settingsPatch(EMAIL, 'TenantEmailPatch'),
    sms: settingsPatch(SMS, 'TenantSmsPatch'),
  },
  'TenantMessagingPatch',
);
export type TenantMessagingPatch = Static<typeof TenantMessagingPatch>;

export const TenantRecord = Type.Object(
  {
    id: TenantIdSchema,
    tenant_id: TenantIdSchema,
    name: Type.String(),
    slug: Type.String(),
    domains: Type.Array(Type.String()),
    issuer: Type.String(),
    config: TenantConfig,
    branding: TenantBranding,
    messaging: TenantMessaging,
    is_active: Type.Boolean(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { $id: 'Tenant', description: 'An organisation, wholly separate from every other.' },
);
export type TenantRecord = Static<typeof TenantRecord>;
