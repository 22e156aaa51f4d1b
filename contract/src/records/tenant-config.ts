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
        'Supported methods: `password`; `magic_link`, if messages can be sent: a link and a code by mail, or a code by SMS; `passkey`, if the issuer has a host name and https; `oauth`, with an active identity provider. Second factors of users are always accepted. A list with which no user could log in is rejected.',
    }),
    magic_link_url: Type.Union([LinkAddress, Type.Null()], {
      default: null,
      description:
        'Page of the application that opens the links in messages, with the token in the fragment: `#link_token=…`. Null: messages have a code only, and invitations a link to a page of the service.',
    }),
    magic_link_registration: Type.Boolean({
      default: true,
      description:
        'Whether a flow with `register` creates a user for an unknown address whose message was confirmed. Needs allow_registration.',
    }),
    return_urls: Type.Array(LinkAddress, {
      maxItems: 32,
      uniqueItems: true,
      default: [],
      description:
        'Pages of applications that logins at identity providers return to, compared exactly.',
    }),
    passkey_rp_id: Type.Union([DomainName, Type.Null()], {
      default: null,
      description:
        'Domain that passkeys are bound to: a domain of the tenant, or a parent of one, unless the public can register names in it. Null: the host of the issuer. While users have passkeys, only `force=true` changes it: their passkeys stop working.',
    }),
    passkey_origins: Type.Array(PasskeyOrigin, {
      maxItems: 20,
      uniqueItems: true,
      default: [],
      description:
        'Origins of pages and Android apps where passkeys can be used, in addition to that of the issuer. Those on other domains are related origins (WebAuthn Level 3 §5.11); browsers accept five such names.',
    }),
    passkey_attestation: Type.Enum(['none', 'direct'], {
      default: 'none',
      description:
        'Whether authenticators must prove their model when a passkey is added. With `direct`, most synced passkeys are rejected. Certificates are not compared with those of manufacturers.',
    }),
    passkey_aaguids: Type.Array(Aaguid, {
      maxItems: 200,
      uniqueItems: true,
      default: [],
      description: 'Models of authenticators on which new passkeys may be created; empty: any.',
    }),
    ...MFA_CONFIG,
    require_verified_identifier: Type.Boolean({
      default: false,
      description:
        'Whether every login needs a user with a verified identifier. Users without one verify their email address during their next login or refresh; those without an email address cannot log in until an administrator sets `verified`. Needs mail.',
    }),
    step_up_max_age: Type.Integer({
      minimum: LEAST_STEP_UP_MAX_AGE,
      maximum: 86_400,
      default: 300,
      description:
        'How long ago users may have authenticated when they change how they log in or delete a tenant, in seconds.',
    }),
    ...SELF_SERVICE_CONFIG,
    notify_new_device: Type.Boolean({
      default: true,
      description:
        'Whether users are notified of logins from devices that present no `device_token` of an earlier login. Applications that do not keep device tokens should turn it off.',
    }),
    password_min_length: Type.Integer({
      minimum: 8,
      maximum: 256,
      default: 12,
      description: 'Minimum length of a new password, in characters.',
    }),
    password_require_special: Type.Boolean({
      default: false,
      description: 'Whether a new password needs a character other than letters and digits.',
    }),
    import_expires_at: Type.Union([Moment, Type.Null()], {
      default: null,
      description:
        'When imported passwords stop working if they have not been used yet: their users recover the account. Null: never.',
    }),
    breached_passwords: Type.Enum(['off', 'list', 'range', 'file'], {
      default: 'list',
      description:
        'What new passwords are compared with. `list`: the most common passwords. `range`: also a service that receives 5 digits of a hash, by default Have I Been Pwned. `file`: also a file of the operator. If the service or the file is unavailable, the password is accepted.',
    }),
    breached_at_login: Type.Enum(['require', 'notify', 'off'], {
      default: 'notify',
      description:
        'When a user logs in with such a password. `require`: the login continues in a flow that needs a new one. `notify`: the user is sent a mail, at most once in 30 days; needs mail.',
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
      description: 'Lifetime of a refresh token, in seconds; restarts with each use.',
    }),
    refresh_token_absolute_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 7_776_000,
      description: 'Maximum lifetime of a session, in seconds, however often it is refreshed.',
    }),
    browser_session_idle_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 43_200,
      description:
        'Lifetime of a login in a browser, on the pages of the service, in seconds; restarts with each use.',
    }),
    browser_session_ttl: Type.Integer({
      minimum: 300,
      maximum: 31_536_000,
      default: 604_800,
      description:
        'Maximum lifetime of a login in a browser, in seconds, however often it is used.',
    }),
    console_idle_ttl: Type.Integer({
      minimum: 300,
      maximum: 604_800,
      default: 1800,
      description:
        'For the console, how long ago a login in a browser may last have been used, in seconds.',
    }),
    console_session_ttl: Type.Integer({
      minimum: 300,
      maximum: 604_800,
      default: 43_200,
      description: 'For the console, how long ago the user may have logged in, in seconds.',
    }),
    ...OAUTH_CONFIG,
    refresh_retry_window: Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 30,
      description:
        'For this many seconds, a used refresh token returns its successor again, and a completed flow its tokens.',
    }),
    login_attempts_limit: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 10,
      description: 'Login attempts per identifier within the window.',
    }),
    login_attempts_window: Type.Integer({
      minimum: 1,
      maximum: 86_400,
      default: 300,
      description: 'The window in which login attempts are counted, in seconds.',
    }),
    login_attempts_address_limit: Type.Union(
      [Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()],
      {
        default: null,
        description:
          'Attempts per address within the window, for any identifiers; null: ten times login_attempts_limit.',
      },
    ),
    registrations_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1000,
      description: 'Registrations per hour, from all addresses.',
    }),
    registrations_address_limit: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 20,
      description: 'Registrations per hour from one address.',
    }),
    allow_registration: Type.Boolean({
      default: true,
      description:
        'Whether a login with `register` creates a user. Invited people become users either way.',
    }),
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
        'Origins whose scripts may read responses in a browser: https, or http on a loopback host.',
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
    description: 'The settings of a tenant. Every one has a default; times are in seconds.',
  },
);
export type TenantConfig = Static<typeof TenantConfig>;
