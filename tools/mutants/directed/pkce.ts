import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const OAUTH = 'server/src/modules/oauth';
const RULES = `${OAUTH}/authorize/pkce.test.ts`;
const NAMES = `${OAUTH}/token-endpoint/basic-names.test.ts`;
const ATTACKS = 'tests/conformance/oauth-attacks.test.ts';
const JWTS = 'server/src/modules/tokens/signing-keys/application-jwts.test.ts';

export const PKCE: readonly DirectedBreaks[] = [
  breaksIn(`${OAUTH}/authorize/rules.ts`, RULES, [
    [
      'isPublic || policy.mustUsePkce || client.require_pkce === true',
      'policy.mustUsePkce || client.require_pkce === true',
      'lets public clients omit PKCE',
    ],
    [
      'isPublic || policy.mustUsePkce || client.require_pkce === true',
      'isPublic || client.require_pkce === true',
      'lets clients omit PKCE where all must use it',
    ],
    [
      "scopes.includes('openid') && value('nonce') !== undefined",
      "value('nonce') !== undefined",
      'takes the nonce of a request without an ID token',
    ],
    [
      "scopes.includes('openid') && value('nonce') !== undefined",
      "scopes.includes('openid')",
      'needs no nonce',
    ],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/code-grant.ts`, ATTACKS, [
    ['return challenge === verifier;', 'return true;', 'lets a challenge or a verifier be removed'],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/client-proof.ts`, NAMES, [
    [
      'clientId !== undefined && clientId !== named',
      'false',
      'lets a header and a body name two clients',
    ],
  ]),
  breaksIn('server/src/modules/tokens/signing-keys/own-jwts.ts', JWTS, [
    [
      "return isKnown && isAccessToken === (kind === 'access token');",
      'return isKnown;',
      'takes access tokens for ID tokens',
    ],
  ]),
];
