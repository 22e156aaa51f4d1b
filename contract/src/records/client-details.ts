import Type from 'typebox';
import { EXPECTS } from '../expectation.ts';

export const ClientUri = Type.String({
  maxLength: 2048,
  pattern: '^https://[\\x21-\\x7e]+$',
  [EXPECTS]: 'an https address',
  description: 'Page about the client, for its users.',
  examples: ['https://app.example.com'],
});

export const InitiateLoginUri = Type.String({
  minLength: 5,
  maxLength: 2048,
  pattern: '^[\\x21-\\x7e]+$',
  [EXPECTS]: 'an address of printable ASCII without spaces',
  description:
    'The URL where the application starts a login: https, or http with a loopback address. If a request has nowhere to return to, its error page links to it, with the parameter `iss` (OpenID Connect Core §4).',
  examples: ['https://app.example.com/login'],
});

const pageUri = (description: string, example: string) =>
  Type.String({
    maxLength: 2048,
    pattern: '^https://[\\x21-\\x7e]+$',
    [EXPECTS]: 'an https address',
    description,
    examples: [example],
  });

const POLICY = 'Privacy policy of the client, linked on the consent page.';

export const PolicyPage = pageUri(POLICY, 'https://app.example.com/privacy');
export const PolicyUri = Type.Union([PolicyPage, Type.Null()], {
  description: `${POLICY} Null: none.`,
});

const TERMS = 'Terms of service of the client, linked on the consent page.';

export const TermsPage = pageUri(TERMS, 'https://app.example.com/terms');
export const TosUri = Type.Union([TermsPage, Type.Null()], { description: `${TERMS} Null: none.` });

export const LogoUri = pageUri(
  'Logo of the client: stored but not shown, because pages load nothing from other hosts.',
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
      'Maximum number of seconds since the user authenticated, for requests without `max_age`; null: any.',
    examples: [null],
  },
);

export const DpopBound = Type.Boolean({
  description:
    'Whether the client gets access tokens only with a DPoP proof, bound to the key of the proof (RFC 9449 §5.2).',
  examples: [false],
});

export const RequireSigned = Type.Boolean({
  description: 'Whether the client must sign its authorization requests (RFC 9101 §10.5).',
  examples: [false],
});

export const RequirePkce = Type.Union([Type.Boolean(), Type.Null()], {
  description:
    'Whether the client must use PKCE (RFC 7636). null: yes, except that a client that authenticates can omit it in requests with the scope `openid` and a `nonce` (OAuth 2.1 §7.5.1). true: always. false: PKCE can always be omitted; only clients that authenticate can have this value. `oauth_require_pkce` of the tenant and the profile `fapi2` override null and false.',
  examples: [null],
});

export const CreatedBy = Type.Enum(['admin', 'registration', 'metadata_document'], {
  description:
    '`admin`: an administrator; `registration`: it registered itself (RFC 7591); `metadata_document`: its id is the address of its metadata document, and a user consented to it.',
  examples: ['admin'],
});

export const ClientProfile = Type.Enum(['none', 'fapi2'], {
  description:
    '`fapi2`: this client must meet the requirements that `oauth_profile` sets for all clients. Nonces in DPoP proofs are a setting of the tenant only.',
  examples: ['none'],
});

export const RefreshTokenPolicy = Type.Enum(['rotate', 'fixed'], {
  description:
    '`rotate`: each use of a refresh token returns its successor. `fixed`: the same one is used until the session ends; only for confidential clients whose tokens are bound to keys.',
  examples: ['rotate'],
});

/** The users whose events an OAuth client can receive as shared signals. */
const SIGNAL_REACHES = ['none', 'own_users', 'all_users'] as const;

export const SharedSignals = Type.Enum([...SIGNAL_REACHES], {
  description:
    'Users whose events the client may receive (OpenID Shared Signals Framework): `own_users`: of users who log in to it, and of its own sessions; `all_users`: of every user and session of the tenant; `none`: it cannot have streams.',
  examples: ['none'],
});

export const LogoutSessionRequired = Type.Boolean({
  description: 'Whether the client needs `sid` in logout tokens. All logout tokens have it.',
  examples: [false],
});
