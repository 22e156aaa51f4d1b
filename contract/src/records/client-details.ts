import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';

export const ClientUri = Type.String({
  maxLength: 2048,
  pattern: '^https://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an https URL',
  description: 'URL of a page about the client, for users.',
  examples: ['https://app.example.com'],
});

export const InitiateLoginUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'a URL of printable ASCII without spaces',
  description:
    'URL where the application starts a login: https, or http on a loopback host. If a request cannot return to the application, its error page links to this URL with the parameter `iss` (OpenID Connect Core §4). `null` for none.',
  examples: ['https://app.example.com/login'],
});

const pageUri = (description: string, example: string) =>
  Type.String({
    maxLength: 2048,
    pattern: '^https://[\\x21-\\x7e]+$',
    [EXPECTS]: 'an https URL',
    description,
    examples: [example],
  });

const POLICY = 'URL of the client’s privacy policy, linked on the consent page.';

export const PolicyPage = pageUri(POLICY, 'https://app.example.com/privacy');
export const PolicyUri = Type.Union([PolicyPage, Type.Null()], {
  description: `${POLICY} \`null\` for none.`,
});

const TERMS = 'URL of the client’s terms of service, linked on the consent page.';

export const TermsPage = pageUri(TERMS, 'https://app.example.com/terms');
export const TosUri = Type.Union([TermsPage, Type.Null()], {
  description: `${TERMS} \`null\` for none.`,
});

export const LogoUri = pageUri(
  'URL of the client’s logo. It is stored but not shown, because pages load nothing from other hosts.',
  'https://app.example.com/logo.png',
);

export const Contacts = Type.Array(
  Type.String({
    maxLength: 254,
    pattern: '^[!#$*+./0-9=A-Z^_a-z{|}~-]{1,64}@[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)+$',
    [EXPECTS]: 'an email address',
    description: 'An email address.',
    examples: ['help@app.example.com'],
  }),
  {
    maxItems: 5,
    uniqueItems: true,
    description: 'Contacts for the client, shown on the consent page.',
    examples: [['help@app.example.com']],
  },
);

export const DefaultMaxAge = Type.Union(
  [Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), Type.Null()],
  {
    description:
      'Maximum time since the user authenticated, in seconds, for requests without `max_age`; `null` for no maximum.',
    examples: [null],
  },
);

export const DpopBound = Type.Boolean({
  description:
    'Whether the client gets access tokens only with a DPoP proof. The tokens are bound to the key of the proof (RFC 9449 §5.2).',
  examples: [false],
});

export const RequireSigned = Type.Boolean({
  description: 'Whether the client must sign its authorization requests (RFC 9101 §10.5).',
  examples: [false],
});

export const RequirePkce = Type.Union([Type.Boolean(), Type.Null()], {
  description:
    'Whether the client must use PKCE (RFC 7636). `null`: yes, but a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). `true`: always. `false`: PKCE is optional; only clients that authenticate can have this value. The tenant setting `oauth_require_pkce` and the profile `fapi2` override `null` and `false`.',
  examples: [null],
});

export const CreatedBy = Type.Enum(['admin', 'registration', 'metadata_document'], {
  description:
    'How the client was registered: `admin` by an administrator, `registration` by the application itself (RFC 7591), `metadata_document` by a user who consented to a client whose ID is the URL of its metadata document.',
  examples: ['admin'],
});

export const ClientProfile = Type.Enum(['none', 'fapi2'], {
  description:
    '`fapi2`: the client must meet the requirements that `oauth_profile` sets for all clients, except for nonces in DPoP proofs, which are a setting of the tenant.',
  examples: ['none'],
});

export const RefreshTokenPolicy = Type.Enum(['rotate', 'fixed'], {
  description:
    '`rotate`: each use of a refresh token returns a new one. `fixed`: the refresh token remains the same until the session ends; only for confidential clients with key-bound tokens.',
  examples: ['rotate'],
});

/** The users whose events an OAuth client can receive as shared signals. */
const SIGNAL_REACHES = ['none', 'own_users', 'all_users'] as const;

export const SharedSignals = Type.Enum([...SIGNAL_REACHES], {
  description:
    'Users whose events the client can receive (OpenID Shared Signals Framework). `own_users`: users who sign in to the client, and its own sessions. `all_users`: all users and sessions of the tenant. `none`: the client cannot have streams.',
  examples: ['none'],
});

export const LogoutSessionRequired = Type.Boolean({
  description: 'Whether the client requires `sid` in logout tokens. All logout tokens contain it.',
  examples: [false],
});
