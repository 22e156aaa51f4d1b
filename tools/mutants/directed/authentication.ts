import { breaksIn, type DirectedBreaks } from '../breaks.ts';
import { LOGIN_BREAKS } from './login.ts';

const MODULES = 'server/src/modules';
const VERIFY = `${MODULES}/authentication/bearer/verify-token.test.ts`;
const ATTACKS = 'tests/conformance/token-attacks.test.ts';
const ACCESS_TOKEN = `${MODULES}/tokens/access-tokens/access-tokens.ts`;

export const AUTHENTICATION: readonly DirectedBreaks[] = [
  breaksIn(
    `${MODULES}/authentication/bearer/bearer-service.ts`,
    'tests/isolation/separation.test.ts',
    [
      [
        'tenantId === DEFAULT_TENANT && roles',
        'roles',
        "treats another tenant's administrator as a system administrator",
      ],
    ],
  ),
  breaksIn(
    `${MODULES}/authentication/bearer/bearer-service.ts`,
    'tests/isolation/delegates.test.ts',
    [
      [
        'if (act?.delegation_id !== undefined) {',
        "if (act?.delegation_id === '') {",
        'treats a delegate as the user',
      ],
    ],
  ),
  breaksIn(
    `${MODULES}/authentication/bearer/bearer-service.ts`,
    `${MODULES}/authentication/impersonation/impersonation.test.ts`,
    [
      [
        "if (act) return { ...credential, kind: 'impersonator'",
        "if (act === null) return { ...credential, kind: 'impersonator'",
        'treats an impersonator as a user',
      ],
    ],
  ),
  breaksIn(`${MODULES}/authentication/bearer/bearer-service.ts`, VERIFY, [
    [
      "return (await alive) ? claims : fail('TOKEN_INVALID');",
      'return alive.then(() => claims);',
      'accepts tokens of ended sessions',
    ],
    [
      'alive.length > 0 && alive.every(Boolean)',
      'alive.length > 0',
      'treats every grant as active',
    ],
  ]),
  breaksIn(`${MODULES}/authentication/bearer/bearer-service.ts`, VERIFY, [
    [
      "['TOKEN_INVALID', 'TENANT_MISMATCH']",
      "['TOKEN_INVALID']",
      'reveals that a token belongs to another tenant',
    ],
  ]),
  breaksIn(ACCESS_TOKEN, ATTACKS, [
    ['!key || !signatureIsValid(parsed, key) || ', '!key || ', 'accepts any signature'],
    [
      'if (parsed?.typ !== TOKEN_TYP.access) return undefined;',
      'if (!parsed) return undefined;',
      'accepts another type of token',
    ],
    [
      '|| !areAccessTokenClaims(parsed.claims)',
      '|| parsed.claims === undefined',
      'accepts claims of any form',
    ],
    ['claims.exp + CLOCK_SKEW_SECONDS > seconds &&', '', 'accepts expired tokens'],
    ['claims.iat - CLOCK_SKEW_SECONDS <= seconds &&', '', 'accepts tokens issued in the future'],
    [' &&\n    claims.iss === tenant.issuer', '', 'accepts tokens of another issuer'],
    ['return aud === audience;', 'return true;', 'accepts tokens for another audience'],
  ]),
  breaksIn(ACCESS_TOKEN, `${MODULES}/tokens/signing-keys/rotation.test.ts`, [
    [
      '(await keys.publishes(tenant.id, known.kid)) ? known : undefined',
      'known',
      'accepts a cached token after its key is gone',
    ],
  ]),
  breaksIn(ACCESS_TOKEN, 'tests/isolation/tenant-resolution.test.ts', [
    [
      '      requireTenant(known.claims.tenant_id, tenant, fail);\n',
      '',
      'accepts a cached token in another tenant',
    ],
  ]),
  breaksIn(ACCESS_TOKEN, `${MODULES}/oauth/token-endpoint/delegated.test.ts`, [
    [
      'Math.min(iat + longestSeconds, epochSeconds(subject.grantEndsAt))',
      'iat + longestSeconds',
      'lets a token outlive its session',
    ],
  ]),
  breaksIn(ACCESS_TOKEN, `${MODULES}/tokens/sessions/custom-claims.test.ts`, [
    [
      '    ...subject.customClaims,\n    jti: randomId(),',
      '    jti: randomId(),\n    ...subject.customClaims,',
      'lets a custom claim replace the id',
    ],
  ]),
  breaksIn('server/src/platform/crypto/jws.ts', ATTACKS, [
    ["if (alg !== 'EdDSA' || ", 'if (', 'accepts any algorithm'],
    [
      'if (REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name))) return undefined;',
      '',
      'accepts header fields with a key',
    ],
    [
      "bytes.toString('base64url') === part ? bytes : undefined",
      'bytes',
      'accepts several encodings of a token',
    ],
    [
      ' || rest.length > 0) return undefined;\n  const fields',
      ') return undefined;\n  const fields',
      'accepts a token with additional parts',
    ],
  ]),
  ...LOGIN_BREAKS,
];
