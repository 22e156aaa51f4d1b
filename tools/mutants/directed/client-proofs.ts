import type { DirectedBreaks } from '../breaks.ts';

const PROOFS = 'server/src/modules/machines/proofs';
const RULES = `${PROOFS}/rules.test.ts`;
const ASSERTION = 'server/src/modules/oauth/token-endpoint/private-key-jwt.test.ts';
const WORKLOAD = 'server/src/modules/oauth/token-endpoint/workload.test.ts';

export const CLIENT_PROOFS: readonly DirectedBreaks[] = [
  {
    in: `${PROOFS}/statement-rules.ts`,
    by: RULES,
    breaks: [
      [
        '!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds',
        '!isTime(exp)',
        'takes statements that are over',
      ],
      [
        '!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds',
        '!isTime(exp) || exp <= seconds',
        'allows no clock to differ',
      ],
      [
        "if (exp - CLOCK_SKEW_SECONDS > seconds + longestSeconds) return 'exp';",
        '',
        'takes statements for years',
      ],
      [
        "if (nbf !== undefined && !isPast(nbf)) return 'nbf';",
        '',
        'takes statements before their time',
      ],
      [
        "iat === undefined || isPast(iat) ? undefined : 'iat'",
        'undefined',
        'takes statements of the future',
      ],
      ['others.length === 0 && ', '', 'takes statements for others besides'],
      ["jti !== '' && jti.length <= MAX_JTI", "jti !== ''", 'keeps a jti of any length'],
    ],
  },
  {
    in: `${PROOFS}/statement-rules.ts`,
    by: ASSERTION,
    breaks: [
      [
        '(Number(exp) + 2 * CLOCK_SKEW_SECONDS)',
        '(Number(exp) - 60 * CLOCK_SKEW_SECONDS)',
        'forgets a statement before it is over',
      ],
    ],
  },
  {
    in: `${PROOFS}/trust-rules.ts`,
    by: RULES,
    breaks: [
      ["claims['iss'] === trust.issuer &&", '', 'takes the token of another issuer'],
      ["isOnlyFor(claims['aud'], [trust.audience]) &&", '', 'takes a token for another audience'],
      ["typeof claims['sub'] === 'string' &&", '', 'takes a token without a subject'],
      [
        "(trust.subject === undefined || claims['sub'] === trust.subject) &&",
        '',
        'takes a token of any subject',
      ],
      [
        'Object.hasOwn(claims, name) && isOneOf(claims[name], wanted)',
        'Object.hasOwn(claims, name)',
        'takes any value of a claim',
      ],
      [
        '.every(\n      ([name, wanted])',
        '.some(\n      ([name, wanted])',
        'is content with one claim of several',
      ],
      [
        "if (names.length === 0) return 'needs a subject, or claims';",
        '',
        'trusts everybody at an issuer',
      ],
      [
        "SHARED_ISSUERS[issuer.replace(/\\/$/, '')]",
        'SHARED_ISSUERS[issuer]',
        'does not know a shared issuer by its name with a slash',
      ],
      [
        " || names.includes('sub') || names.some((name) => telling.includes(name))",
        ' || names.length > 0',
        'trusts everybody at a shared issuer',
      ],
    ],
  },
  {
    in: `${PROOFS}/client-assertion.ts`,
    by: ASSERTION,
    breaks: [
      ['!client || !isSignedBy(client, token)', '!client', 'takes any signature'],
      [
        'const flaw = timesFlaw(token.claims, now, LONGEST_SECONDS);',
        'const flaw = timesFlaw(token.claims, now);',
        'takes assertions that live for years',
      ],
      ['if (flaw) return { refusal: flaw };', '', 'takes assertions at any time'],
      [
        "if (!isOnlyFor(aud, [tenant.issuer, ...tokenEndpoints(tenant)])) return { refusal: 'aud' };",
        '',
        'takes assertions for anybody',
      ],
      [
        "return isNew ? { client } : { refusal: 'used before' };",
        "return isNew || client ? { client } : { refusal: 'used before' };",
        'takes an assertion twice',
      ],
      ["if (jti === undefined) return { refusal: 'jti' };", '', 'takes an assertion without a jti'],
      [
        "typeof sub === 'string' && iss === sub ?",
        "typeof sub === 'string' ?",
        'takes what another one says of an agent',
      ],
      [
        '(clientId !== undefined && clientId !== agentId)',
        'false',
        'takes the assertion of another agent than is named',
      ],
      ['!TYPES.includes(token.typ)', 'false', 'takes a token of another kind'],
      [
        'token.kid === undefined || token.kid === kid',
        'token.kid !== null',
        'tries keys of other names',
      ],
    ],
  },
  {
    in: `${PROOFS}/workload-token.ts`,
    by: WORKLOAD,
    breaks: [
      [
        "if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };",
        '',
        'takes any signature',
      ],
      [
        "client.trusts.filter(({ issuer }) => issuer === claims['iss'])",
        "client.trusts.filter(({ issuer }) => issuer !== '')",
        'asks the issuer of another trust',
      ],
      [
        "if (!(await useUp(trust))) return { refusal: 'used before' };",
        'await useUp(trust);',
        'takes a token twice',
      ],
      [
        'trusts.find((one) => trustFits(one, claims))',
        'trusts[0]',
        'does not look at what the trust says',
      ],
      ['if (flaw) return { refusal: flaw };', '', 'takes tokens at any time'],
      ["token?.typ !== 'jwt'", '!token', 'takes a token of another kind'],
    ],
  },
  {
    in: `${PROOFS}/store.ts`,
    by: ASSERTION,
    breaks: [
      [".where('is_active', '=', true)\n", '\n', 'takes the proof of an inactive agent'],
      [
        'JSON.stringify([maker, jti])',
        'JSON.stringify([jti])',
        'lets one use up the statement of another',
      ],
    ],
  },
  {
    in: `${PROOFS}/issuer-metadata.ts`,
    by: `${PROOFS}/issuer-keys.test.ts`,
    breaks: [
      [
        "if (named !== issuer) return { refusal: 'discovery: another issuer' };",
        '',
        'lets one issuer speak for another',
      ],
      [' || isDowngrade(issuer, address)', '', 'fetches keys without TLS'],
      [
        'Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max)',
        'Math.max(asked, LIFE_SECONDS.min)',
        'keeps keys for as long as the issuer likes',
      ],
    ],
  },
  {
    in: `${PROOFS}/issuer-keys.ts`,
    by: `${PROOFS}/issuer-keys.test.ts`,
    breaks: [
      [
        'const place = `${tenantId} ${issuer}`;',
        'const place = issuer;',
        'shares keys among tenants',
      ],
      ['known.goodUntilMs > nowMs ? known', 'known.goodUntilMs > 0 ? known', 'keeps keys for ever'],
      [
        '!key && current.askedAtMs + ASK_AGAIN_MS <= nowMs',
        '!key',
        'asks the issuer for every unknown key',
      ],
    ],
  },
  {
    in: 'server/src/platform/crypto/outside-jws.ts',
    by: 'server/src/platform/crypto/outside-jws.test.ts',
    breaks: [
      [
        'fitting.length === 1 ? fitting[0] : undefined',
        'fitting[0]',
        'takes the first of two keys that fit',
      ],
      [
        'algorithms.includes(token.alg) && (token.kid',
        '(token.kid',
        'takes a key of another algorithm',
      ],
      [
        'if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) return undefined;',
        '',
        'takes a private key',
      ],
      [
        "['jwk', 'jku', 'x5u', 'crit', 'b64', 'zip']",
        "['jwk', 'jku', 'x5u', 'b64', 'zip']",
        'takes a token with critical header fields',
      ],
      ['modulusLength >= RSA_BITS.min &&', '', 'takes short RSA keys'],
      ['publicExponent >= 3n &&', '', 'takes an exponent that signs nothing'],
    ],
  },
];
