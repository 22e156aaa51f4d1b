import Type from 'typebox';
import { DomainName } from './origins.ts';

/** The settings of a tenant as an OpenID provider for applications. */
export const OAUTH_CONFIG = {
  oauth_enabled: Type.Boolean({
    default: true,
    description:
      'Whether applications can log in users: whether the tenant is an OpenID provider. Off: OAuth clients are rejected with `OAUTH_OFF`, their sessions are kept, and agents still get tokens.',
    examples: [true],
  }),
  oauth_profile: Type.Enum(['none', 'fapi2'], {
    default: 'none',
    description:
      '`fapi2`: the FAPI 2.0 Security Profile for all applications and agents. Requests are pushed, clients authenticate with `private_key_jwt`, tokens are bound to keys by DPoP with nonces of the service, and nothing is signed with RS256. Applications and agents that do not meet it are rejected. `oauth_require_pushed_requests`, `oauth_dpop_nonces` and `oauth_require_pkce` then apply, whatever their values are.',
    examples: ['none'],
  }),
  oauth_require_pkce: Type.Boolean({
    default: false,
    description:
      'Whether all applications must use PKCE (RFC 7636), whatever their own `require_pkce` is. Public applications always must.',
    examples: [false],
  }),
  oauth_require_pushed_requests: Type.Boolean({
    default: false,
    description:
      'Whether all applications must push their authorization requests (RFC 9126), and not only those that are registered so.',
    examples: [false],
  }),
  oauth_dpop_nonces: Type.Boolean({
    default: false,
    description:
      'Whether DPoP proofs need a nonce of the service, which changes every minute (RFC 9449 §8): proofs made in advance are worthless. Clients get it in the header `DPoP-Nonce`.',
    examples: [false],
  }),
  oauth_registration: Type.Enum(['off', 'token', 'open'], {
    default: 'token',
    description:
      'Who can register applications at the registration endpoint (RFC 7591). `off`: no one; `token`: callers with a registration token or a credential with `write:clients`; `open`: all callers. Applications registered without either get no permission to write or to delete, are limited in number, and are deleted after 30 days without a consent.',
    examples: ['token'],
  }),
  oauth_max_registered_clients: Type.Integer({
    minimum: 1,
    maximum: 20_000,
    default: 1000,
    description:
      'Maximum number of applications that were registered without a token or credential, or that users added by the address of their metadata document.',
    examples: [1000],
  }),
  oauth_metadata_documents: Type.Enum(['off', 'listed', 'any'], {
    default: 'listed',
    description:
      'Which applications may use the https address of their metadata document as `client_id`: none, those at `oauth_client_domains`, or any.',
    examples: ['listed'],
  }),
  oauth_client_domains: Type.Array(DomainName, {
    maxItems: 200,
    uniqueItems: true,
    default: [],
    description: 'Hosts of such documents, compared as a whole.',
    examples: [['app.example.com']],
  }),
  oauth_consent: Type.Enum(['once', 'always'], {
    default: 'once',
    description:
      'Whether users are asked for consent `once`, and again when the application requests more or redirects to a new host, or `always` when they log in to an application. First-party applications need none.',
    examples: ['once'],
  }),
};
