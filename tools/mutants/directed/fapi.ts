import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const OAUTH = 'server/src/modules/oauth';
const PROFILE = `${OAUTH}/clients/profile.test.ts`;
const PLAN = 'tests/conformance/fapi2-security-profile.test.ts';
const SIGNED_PLAN = 'tests/conformance/fapi2-message-signing.test.ts';
const FIXED = `${OAUTH}/token-endpoint/fixed-refresh.test.ts`;

export const FAPI: readonly DirectedBreaks[] = [
  breaksIn(`${OAUTH}/token-endpoint/fapi2.ts`, PLAN, [
    ["if (alg === WEAK_ALGORITHM) return 'fapi2: alg';", '', 'accepts assertions of RS256'],
    [
      "return claims['aud'] === issuer ? undefined : 'fapi2: aud';",
      'return undefined;',
      'accepts assertions for an endpoint, and for several',
    ],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/routes.ts`, PROFILE, [
    ['requireProofUnderFapi2(tenant, key, fail);', '', 'issues bearer tokens to agents'],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/client.ts`, PLAN, [
    [
      "if (isUnderFapi2(tenant)) return { refusal: 'fapi2: secret' };",
      '',
      'accepts API keys of agents',
    ],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/identify.ts`, PROFILE, [
    [
      "if (isUnderFapi2(tenant)) return fail(code, { internal: 'fapi2: outside issuer' });",
      '',
      'looks for outside issuers',
    ],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/application.ts`, PROFILE, [
    ['if (!flaw) return client;', 'return client;', 'lets clients in that do not meet the profile'],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/bound-to.ts`, PROFILE, [
    [' || isFapi2Client(tenant, client);', ';', 'issues bearer tokens to a client of the profile'],
  ]),
  breaksIn(`${OAUTH}/authorize/asked.ts`, PROFILE, [
    ['=== true || isStrict;', '=== true;', 'takes requests that were not pushed'],
  ]),
  breaksIn(`${OAUTH}/authorize/request-object.ts`, SIGNED_PLAN, [
    ["if (alg === WEAK_ALGORITHM) return 'alg';", '', 'accepts request objects of RS256'],
    ["if (typeof nbf !== 'number') return 'nbf';", '', 'needs no nbf'],
    ["> nbf + LONGEST_SECONDS ? 'exp' : undefined", "> nbf * 2 ? 'exp' : undefined", 'lasts long'],
  ]),
  breaksIn('server/src/modules/tokens/sessions/code-redemption.ts', PLAN, [
    [
      'redemption.endsAtSecondUse ? undefined : SECOND_USE_MS',
      'SECOND_USE_MS',
      'keeps the session of a code that is used twice at once',
    ],
  ]),
  breaksIn('server/src/tenancy/oauth-profile.ts', PLAN, [
    [' || isUnderFapi2({ config });', ';', 'demands no nonces'],
  ]),
  breaksIn(`${OAUTH}/token-endpoint/refresh-policy.ts`, FIXED, [
    ["client.refresh_token_policy === 'fixed'", 'true', 'rotates for nobody'],
  ]),
  breaksIn('kw_find_fixed_sessions', FIXED, [
    [
      "WHEN c.is_current IS NOT TRUE THEN 'stale'",
      "WHEN false THEN 'stale'",
      'knows no changed client',
    ],
    [' OR NOT s.is_active OR s.expires_at <= asked.now', '', 'goes on after the end'],
    [
      "WHEN s.parent_id IS NOT NULL AND p.is_alive IS NOT TRUE THEN 'ended'",
      '',
      'outlives the browser session',
    ],
    ["WHEN s.refresh_hash = asked.presented THEN 'current'", "WHEN true THEN 'current'", 'forged'],
  ]),
  breaksIn('kw_push_known_requests', `${OAUTH}/clients/known.test.ts`, [
    [
      'WHERE coalesce(found.version, 0) = asked.version',
      '',
      'stores requests of clients that have changed',
    ],
  ]),
];
