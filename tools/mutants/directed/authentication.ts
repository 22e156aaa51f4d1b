import type { DirectedBreaks } from '../breaks.ts';
import { LOGIN_BREAKS } from './login.ts';

const MODULES = 'server/src/modules';
const VERIFY = `${MODULES}/authentication/bearer/verify-token.test.ts`;
const ATTACKS = 'tests/conformance/token-attacks.test.ts';

export const AUTHENTICATION: readonly DirectedBreaks[] = [
  {
    in: `${MODULES}/authentication/bearer/caller-of.ts`,
    by: 'tests/isolation/separation.test.ts',
    breaks: [
      [
        'tenantId === DEFAULT_TENANT && roles',
        'roles',
        'takes the administrator of another tenant for one of all',
      ],
    ],
  },
  {
    in: `${MODULES}/authentication/bearer/caller-of.ts`,
    by: 'tests/isolation/delegates.test.ts',
    breaks: [
      [
        'if (act?.delegation_id !== undefined) {',
        "if (act?.delegation_id === '') {",
        'takes a delegate for the user',
      ],
    ],
  },
  {
    in: `${MODULES}/authentication/bearer/caller-of.ts`,
    by: `${MODULES}/authentication/impersonation/impersonation.test.ts`,
    breaks: [
      [
        "if (act) return { ...credential, kind: 'impersonator'",
        "if (act === null) return { ...credential, kind: 'impersonator'",
        'treats an impersonator as a user',
      ],
    ],
  },
  {
    in: `${MODULES}/authentication/bearer/service.ts`,
    by: VERIFY,
    breaks: [
      [
        "return (await alive) ? claims : fail('TOKEN_INVALID');",
        'return alive.then(() => claims);',
        'takes tokens of ended sessions',
      ],
      ['alive.length > 0 && alive.every(Boolean)', 'alive.length > 0', 'takes any grant for alive'],
    ],
  },
  {
    in: `${MODULES}/authentication/bearer/find-active.ts`,
    by: VERIFY,
    breaks: [
      [
        "['TOKEN_INVALID', 'TENANT_MISMATCH']",
        "['TOKEN_INVALID']",
        'tells that a token is of another tenant',
      ],
    ],
  },
  {
    in: `${MODULES}/tokens/access-tokens/access-token.ts`,
    by: ATTACKS,
    breaks: [
      ['!key || !signatureIsValid(parsed, key) || ', '!key || ', 'takes any signature'],
      [
        'if (parsed?.typ !== TOKEN_TYP.access) return undefined;',
        'if (!parsed) return undefined;',
        'takes a token of another kind',
      ],
      [
        '|| !areAccessTokenClaims(parsed.claims)',
        '|| parsed.claims === undefined',
        'takes claims of any form',
      ],
      ['claims.exp + CLOCK_SKEW_SECONDS > seconds &&', '', 'takes tokens that are over'],
      ['claims.iat - CLOCK_SKEW_SECONDS <= seconds &&', '', 'takes tokens of the future'],
      ['claims.iss === tenant.issuer &&', '', 'takes tokens of another issuer'],
      [
        'claims.iss === tenant.issuer &&\n    claims.aud === tenant.audience',
        'claims.iss === tenant.issuer',
        'takes tokens for another audience',
      ],
    ],
  },
  {
    in: `${MODULES}/tokens/access-tokens/access-token.ts`,
    by: `${MODULES}/tokens/signing-keys/rotation.test.ts`,
    breaks: [
      [
        '(await keys.publishes(tenant.id, known.kid)) ? known : undefined',
        'known',
        'takes a token that it knows after its key is gone',
      ],
    ],
  },
  {
    in: `${MODULES}/tokens/access-tokens/access-token.ts`,
    by: 'tests/isolation/tenant-resolution.test.ts',
    breaks: [
      [
        '      requireTenant(known.claims.tenant_id, tenant, fail);\n',
        '',
        'takes a token that it knows in another tenant',
      ],
    ],
  },
  {
    in: `${MODULES}/tokens/access-tokens/access-token.ts`,
    by: `${MODULES}/oauth/token-endpoint/delegated.test.ts`,
    breaks: [
      [
        'Math.min(iat + longestSeconds, epochSeconds(subject.grantEndsAt))',
        'iat + longestSeconds',
        'lets a token outlive its session',
      ],
    ],
  },
  {
    in: `${MODULES}/tokens/access-tokens/access-token.ts`,
    by: `${MODULES}/tokens/sessions/custom-claims.test.ts`,
    breaks: [
      [
        '    ...subject.customClaims,\n    jti: randomId(),',
        '    jti: randomId(),\n    ...subject.customClaims,',
        'lets a claim of the tenant be the id',
      ],
    ],
  },
  {
    in: 'server/src/platform/crypto/jws.ts',
    by: ATTACKS,
    breaks: [
      ["if (alg !== 'EdDSA' || ", 'if (', 'takes any algorithm'],
      [
        'if (REFUSED_HEADERS.some((name) => Object.hasOwn(fields, name))) return undefined;',
        '',
        'takes header fields that bring a key',
      ],
      [
        "bytes.toString('base64url') === part ? bytes : undefined",
        'bytes',
        'takes several spellings of a token',
      ],
      [
        ' || rest.length > 0) return undefined;\n  const fields',
        ') return undefined;\n  const fields',
        'takes a token with more parts',
      ],
    ],
  },
  ...LOGIN_BREAKS,
];
