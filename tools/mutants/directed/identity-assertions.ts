import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const ENDPOINT = 'server/src/modules/oauth/token-endpoint';
const ASSERTIONS = 'server/src/modules/oauth/identity-assertions';
const BOTH_SIDES = `${ASSERTIONS}/identity-assertions.test.ts`;
const ATTACKS = `${ASSERTIONS}/attacks.test.ts`;

export const IDENTITY_ASSERTIONS: readonly DirectedBreaks[] = [
  breaksIn(`${ASSERTIONS}/rules.ts`, `${ASSERTIONS}/rules.test.ts`, [
    ["if (typ !== ASSERTION_TYP) return { refusal: 'typ' };", '', 'accepts other tokens'],
    [
      "if (aud !== expected.issuer) return { refusal: 'aud' };",
      '',
      'accepts assertions for somebody else',
    ],
    [
      "if (clientId !== expected.clientId) return { refusal: 'client_id' };",
      '',
      'accepts assertions for other clients',
    ],
    [' || iss === expected.issuer', '', 'accepts its own assertions'],
    [
      'timesFlaw(claims, now, ASSERTION_SECONDS)',
      'timesFlaw(claims, now)',
      'accepts long assertions',
    ],
    ["if (jti === undefined) return { refusal: 'jti' };", '', 'needs no name of an assertion'],
    [' && bound !== expected.jkt', ' && false', 'drops the binding of an assertion'],
    [
      "if (!audience || others.length > 0) return 'audience';",
      "if (!audience) return 'audience';",
      'asserts for the first of several audiences',
    ],
    ["if (!isNamed || more.length > 0) return 'resource';", '', 'asserts for any resource'],
    [
      "if (!scopes.every((scope) => audience.scopes.includes(scope))) return 'scope';",
      '',
      'asserts any scope',
    ],
  ]),
  breaksIn(`${ASSERTIONS}/verify.ts`, ATTACKS, [
    [
      "if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };",
      '',
      'accepts what anybody signed',
    ],
    ['if (!(await spend(', 'if (false && !(await spend(', 'accepts an assertion again'],
    ['row?.is_active && row.type', 'row && row.type', 'trusts a provider that is turned off'],
    ['provider.settings.trust_mfa && hasMfa', 'hasMfa', 'believes in two factors of any provider'],
  ]),
  breaksIn(`${ENDPOINT}/assertion-grant.ts`, BOTH_SIDES, [
    ['requireGrant(client, ASSERTION_GRANT, fail);', '', 'accepts assertions without the grant'],
    [
      'if (!(await isGoodEnough(data, tenant, login))) {',
      'if (false) {',
      'ignores the policy of the tenant',
    ],
    [
      "if (!uris.every((uri) => uri === resource)) fail('TARGET_INVALID');",
      '',
      'ignores which resource is asked for',
    ],
    [
      'commonScopes(asserted, client.scopes)',
      'client.scopes.slice()',
      'gives more than was asserted',
    ],
  ]),
  breaksIn(`${ENDPOINT}/issue-assertion.ts`, BOTH_SIDES, [
    ["claims && claims['aud'] === client.id", 'claims', 'asserts for the login of another client'],
    [
      "if (claims?.client_id !== client.id) return refuse('subject_token');",
      "if (!claims) return refuse('subject_token');",
      'asserts for the refresh token of another client',
    ],
  ]),
  breaksIn('server/src/modules/tokens/sessions/subject-store.ts', BOTH_SIDES, [
    ["    .where('is_active', '=', true)\n", '', 'lets inactive users in'],
  ]),
];
