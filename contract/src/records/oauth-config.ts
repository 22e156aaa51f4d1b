import Type from 'typebox';
import { DomainName } from './origins.ts';

/** The settings of a tenant as an OpenID provider for applications. */
export const OAUTH_CONFIG = {
  oauth_enabled: Type.Boolean({
    default: true,
    description:
      'Whether the tenant is an OpenID provider, where applications can sign in users. If off, applications are rejected with `OAUTH_OFF`. Their sessions are kept, and agents still get tokens.',
    examples: [true],
  }),
  oauth_profile: Type.Enum(['none', 'fapi2'], {
    default: 'none',
    description:
      '`fapi2` requires the FAPI 2.0 Security Profile of all applications and agents: requests are pushed, clients authenticate with `private_key_jwt`, tokens are bound to keys by DPoP with nonces of the service, and nothing is signed with RS256. Applications and agents that do not meet it are rejected. The rules of `oauth_require_pushed_requests`, `oauth_dpop_nonces` and `oauth_require_pkce` then always apply.',
    examples: ['none'],
  }),
  oauth_require_pkce: Type.Boolean({
    default: false,
    description:
      'Whether all applications must use PKCE (RFC 7636), regardless of their `require_pkce`. Public applications always must.',
    examples: [false],
  }),
  oauth_require_pushed_requests: Type.Boolean({
    default: false,
    description:
      'Whether all applications must push their authorization requests (RFC 9126), not only those registered with this requirement.',
    examples: [false],
  }),
  oauth_dpop_nonces: Type.Boolean({
    default: false,
    description:
      'Whether DPoP proofs need a nonce of the service (RFC 9449 §8), so that proofs cannot be made in advance. The nonce changes every minute. Clients get it in the header `DPoP-Nonce`.',
    examples: [false],
  }),
  oauth_registration: Type.Enum(['off', 'token', 'open'], {
    default: 'token',
    description:
      'Who can register applications at the registration endpoint (RFC 7591). `off`: no one. `token`: callers with a registration token, or with a credential that has `write:clients`. `open`: all callers. Applications registered without a token or credential get no permission to write or to delete, are limited in number, and are deleted after 30 days without a consent.',
    examples: ['token'],
  }),
  oauth_max_registered_clients: Type.Integer({
    minimum: 1,
    maximum: 20_000,
    default: 1000,
    description:
      'Maximum number of applications that were registered without a token or credential, or that users added through the URL of a metadata document.',
    examples: [1000],
  }),
  oauth_metadata_documents: Type.Enum(['off', 'listed', 'any'], {
    default: 'listed',
    description:
      'Which applications can use the https URL of their metadata document as `client_id`. `listed`: those at `oauth_client_domains`.',
    examples: ['listed'],
  }),
  oauth_client_domains: Type.Array(DomainName, {
    maxItems: 200,
    uniqueItems: true,
    default: [],
    description: 'Hosts of metadata documents of applications. The whole host name must match.',
    examples: [['app.example.com']],
  }),
  oauth_consent: Type.Enum(['once', 'always'], {
    default: 'once',
    description:
      'When users are asked for consent. `once`: at the first login to an application, and again when it requests more or redirects to a new host. `always`: at every login to an application. First-party applications need no consent.',
    examples: ['once'],
  }),
};
