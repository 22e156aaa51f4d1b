import Type, { type Static } from 'typebox';
import { LINE_OF_TEXT } from '../shape.ts';
import { customClaims } from './custom-claim.ts';
import { MESSAGE_CONFIG } from './message-config.ts';
import { MFA_CONFIG } from './mfa-config.ts';
import { OAUTH_CONFIG } from './oauth-config.ts';
import { SELF_SERVICE_CONFIG } from './own-account-config.ts';
import { Moment } from './moment.ts';
import { Aaguid, DomainName, LinkAddress, Origin, PasskeyOrigin } from './origins.ts';

const LOGIN_METHODS = ['password', 'magic_link', 'oauth', 'passkey'] as const;

/** Login methods that this version supports. */
export const WORKING_LOGIN_METHODS: readonly (typeof LOGIN_METHODS)[number][] = [
  'password',
  'magic_link',
  'passkey',
  'oauth',
];

/** The minimum of `step_up_max_age`, the setting for recent logins, in seconds. */
export const LEAST_STEP_UP_MAX_AGE = 30;

/** Settings of a tenant; each has a default (SPEC resources tenant config). Times are in seconds. */
export const TenantConfig = Type.Object(
  {
    allowed_login_methods: Type.Array(Type.Enum([...LOGIN_METHODS]), {
      default: [...LOGIN_METHODS],
      maxItems: LOGIN_METHODS.length,
      uniqueItems: true,
      description:
        'Login methods of the tenant. `magic_link` sends a link and a code by email, or a code by SMS; it needs a way to send messages. `passkey` needs an issuer with a host name and https. `oauth` needs an active identity provider. Second factors that users have are always accepted. A list that would lock out all users is rejected.',
    }),
    magic_link_url: Type.Union([LinkAddress, Type.Null()], {
      default: null,
      description:
        'Page of the application that opens the links in messages, with the token in the fragment: `#link_token=…`. If null, messages contain only a code, and invitations link to a page of the service.',
    }),
    magic_link_registration: Type.Boolean({
      default: true,
      description:
        'Whether a flow with `register` creates a user for an unknown identifier after the link or code in its message is used. Needs `allow_registration`.',
    }),
    return_urls: Type.Array(LinkAddress, {
      maxItems: 32,
      uniqueItems: true,
      default: [],
      description:
        'Pages of applications that users return to after a login at an identity provider. URLs are compared exactly.',
    }),
    passkey_rp_id: Type.Union([DomainName, Type.Null()], {
      default: null,
      description:
        'Domain that passkeys are bound to: a domain of the tenant, or a parent domain that is not a public suffix. If null, the host of the issuer. While users have passkeys, a change requires `force=true`, because their passkeys stop working.',
    }),
    passkey_origins: Type.Array(PasskeyOrigin, {
      maxItems: 20,
      uniqueItems: true,
      default: [],
      description:
        'Origins of pages and Android apps that can use passkeys, in addition to the origin of the issuer. Origins on other domains are related origins (WebAuthn Level 3 §5.11); browsers accept five different names.',
    }),
    passkey_attestation: Type.Enum(['none', 'direct'], {
      default: 'none',
      description:
        'Whether authenticators must prove their model when a passkey is added. `direct` rejects most synced passkeys. Certificates are not compared with those of manufacturers.',
    }),
    passkey_aaguids: Type.Array(Aaguid, {
      maxItems: 200,
      uniqueItems: true,
      default: [],
      description: 'Models of authenticators that can create new passkeys. If empty, all models.',
    }),
    ...MFA_CONFIG,
    require_verified_identifier: Type.Boolean({
      default: false,
      description:
        'Whether users need a verified identifier to sign in. Users without one verify their email address during their next login or refresh. Users without an email address cannot sign in until an administrator sets `verified`. Needs a mail server.',
    }),
    step_up_max_age: Type.Integer({
      minimum: LEAST_STEP_UP_MAX_AGE,
      maximum: 86_400,
      default: 300,
      description:
        'How recently users must have authenticated to change how they sign in, or to delete a tenant, in seconds.',
    }),
    ...SELF_SERVICE_CONFIG,
    notify_new_device: Type.Boolean({
      default: true,
      description:
        'Whether users are notified of logins from devices that present no `device_token` of an earlier login. Turn it off if your applications do not store device tokens.',
    }),
    password_min_length: Type.Integer({
      minimum: 8,
      maximum: 256,
      default: 12,
      description: 'Minimum length of a new password, in characters.',
    }),
    password_require_special: Type.Boolean({
      default: false,
      description: 'Whether a new password must contain a character other than letters and digits.',
    }),
    import_expires_at: Type.Union([Moment, Type.Null()], {
      default: null,
      description:
        'When unused imported passwords stop working. Their users must then recover their accounts. If null, never.',
    }),
    breached_passwords: Type.Enum(['off', 'list', 'range', 'file'], {
      default: 'list',
      description:
        'Which breached passwords are rejected as new passwords. `list`: the most common ones. `range`: also those of a service that receives 5 digits of a hash, by default Have I Been Pwned. `file`: also those in a file of the operator. If the service or the file is unavailable, the password is accepted.',
    }),
    breached_at_login: Type.Enum(['require', 'notify', 'off'], {
      default: 'notify',
      description:
        'Handling of a login with a breached password. `require`: the login continues in a flow that needs a new password. `notify`: the user gets an email, at most once in 30 days; needs a mail server.',
    }),
    session_timeout: Type.Integer({
      minimum: 60,
      maximum: 86_400,
      default: 3600,
      description: 'Lifetime of an access token, in seconds.',
    }),
    refresh_token_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 2_592_000,
      description:
        'Lifetime of a refresh token, in seconds. Each refresh issues a token with the full lifetime.',
    }),
    refresh_token_absolute_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 7_776_000,
      description: 'Maximum lifetime of a session, in seconds, regardless of refreshes.',
    }),
    browser_session_idle_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 43_200,
      description:
        'How long a login in a browser, on the pages of the service, remains valid without use, in seconds.',
    }),
    browser_session_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 604_800,
      description: 'Maximum lifetime of a login in a browser, in seconds, regardless of use.',
    }),
    console_idle_ttl: Type.Integer({
      minimum: 300,
      maximum: 604_800,
      default: 1800,
      description: 'How long a login in the console remains valid without use, in seconds.',
    }),
    console_session_ttl: Type.Integer({
      minimum: 300,
      maximum: 604_800,
      default: 43_200,
      description: 'Maximum lifetime of a login in the console, in seconds.',
    }),
    ...OAUTH_CONFIG,
    refresh_retry_window: Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 30,
      description:
        'How long a used refresh token returns the same successor, and a completed flow the same tokens, in seconds. It lets clients repeat a request whose response they lost.',
    }),
    login_attempts_limit: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 10,
      description:
        'Maximum number of login attempts for one identifier within `login_attempts_window`.',
    }),
    login_attempts_window: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'Length of the window for counting login attempts, in seconds.',
    }),
    login_attempts_address_limit: Type.Union(
      [Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()],
      {
        default: null,
        description:
          'Maximum number of login attempts from one IP address within `login_attempts_window`, for any identifiers. If null, ten times `login_attempts_limit`.',
      },
    ),
    registrations_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: 'Maximum number of registrations per hour in the tenant.',
    }),
    registrations_address_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 20,
      description: 'Maximum number of registrations per hour from one IP address.',
    }),
    allow_registration: Type.Boolean({
      default: true,
      description:
        'Whether a login with `register` creates a user. Invited people can always become users.',
    }),
    audience: Type.Union(
      [Type.String({ minLength: 1, maxLength: 255, ...LINE_OF_TEXT }), Type.Null()],
      {
        default: null,
        description: 'Value of `aud` in access tokens. If null, the issuer.',
      },
    ),
    allowed_origins: Type.Array(Origin, {
      maxItems: 32,
      uniqueItems: true,
      default: [],
      description:
        'Origins whose scripts can read responses in a browser (CORS): https, or http on a loopback host.',
    }),
    ...MESSAGE_CONFIG,
    custom_claims: customClaims({
      default: {},
      description: 'Claims added to the access tokens of users.',
    }),
  },
  {
    $id: 'TenantConfig',
    additionalProperties: false,
    description: 'The settings of a tenant. Each has a default. Times are in seconds.',
  },
);
export type TenantConfig = Static<typeof TenantConfig>;
