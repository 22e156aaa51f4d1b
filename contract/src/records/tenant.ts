import Type, { type Static } from 'typebox';

const LOGIN_METHODS = ['password', 'magic_link', 'oauth', 'passkey'] as const;

/** Settings of a tenant; each has a default (SPEC resources tenant config). Times are in seconds. */
export const TenantConfig = Type.Object(
  {
    allowed_login_methods: Type.Array(Type.Enum([...LOGIN_METHODS]), {
      default: [...LOGIN_METHODS],
      uniqueItems: true,
    }),
    require_mfa: Type.Boolean({ default: false }),
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
    allow_registration: Type.Boolean({ default: true }),
  },
  { $id: 'TenantConfig', additionalProperties: false },
);
export type TenantConfig = Static<typeof TenantConfig>;

/** The bounds of a secret that don't depend on the tenant, in characters after NFKC. */
export const SECRET_MAX_LENGTH = 256;
