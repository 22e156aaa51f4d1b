import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const PROOFS = 'server/src/modules/tokens/proofs';
const RULES = `${PROOFS}/rules.test.ts`;
const ASSERTION = 'server/src/modules/oauth/token-endpoint/private-key-jwt.test.ts';
const CLIENT_KEYS = `${PROOFS}/client-keys.test.ts`;
const WORKLOAD = 'server/src/modules/oauth/token-endpoint/workload.test.ts';

export const CLIENT_PROOFS: readonly DirectedBreaks[] = [
  breaksIn(`${PROOFS}/statement-rules.ts`, RULES, [
    [
      '!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds',
      '!isTime(exp)',
      'accepts expired statements',
    ],
    [
      '!isTime(exp) || exp + CLOCK_SKEW_SECONDS <= seconds',
      '!isTime(exp) || exp <= seconds',
      'allows no clock skew',
    ],
    [
      "if (exp - CLOCK_SKEW_SECONDS > seconds + longestSeconds) return 'exp';",
      '',
      'accepts statements valid for years',
    ],
    ["if (nbf !== undefined && !isPast(nbf)) return 'nbf';", '', 'accepts statements before nbf'],
    [
      "iat === undefined || isPast(iat) ? undefined : 'iat'",
      'undefined',
      'accepts statements issued in the future',
    ],
    ['others.length === 0 && ', '', 'accepts statements with additional audiences'],
    ["jti !== '' && jti.length <= MAX_JTI", "jti !== ''", 'accepts a jti of any length'],
  ]),
  breaksIn(`${PROOFS}/statement-rules.ts`, ASSERTION, [
    [
      '(Number(exp) + 2 * CLOCK_SKEW_SECONDS)',
      '(Number(exp) - 60 * CLOCK_SKEW_SECONDS)',
      'forgets a statement before it expires',
    ],
  ]),
  breaksIn(`${PROOFS}/trust-rules.ts`, RULES, [
    ["claims['iss'] === trust.issuer &&", '', 'accepts the token of another issuer'],
    ["isOnlyFor(claims['aud'], [trust.audience]) &&", '', 'accepts a token for another audience'],
    ["typeof claims['sub'] === 'string' &&", '', 'accepts a token without a subject'],
    [
      "(trust.subject === undefined || claims['sub'] === trust.subject) &&",
      '',
      'accepts a token of any subject',
    ],
    [
      'Object.hasOwn(claims, name) && isOneOf(claims[name], wanted)',
      'Object.hasOwn(claims, name)',
      'accepts any value of a claim',
    ],
    [
      '.every(\n      ([name, wanted])',
      '.some(\n      ([name, wanted])',
      'requires one claim of several',
    ],
    [
      "if (names.length === 0) return 'needs a subject, or claims';",
      '',
      'trusts every subject of an issuer',
    ],
    [
      "SHARED_ISSUERS[issuer.replace(/\\/$/, '')]",
      'SHARED_ISSUERS[issuer]',
      'does not recognize a shared issuer with a trailing slash',
    ],
    [
      " || names.includes('sub') || names.some((name) => telling.includes(name))",
      ' || names.length > 0',
      'trusts every subject of a shared issuer',
    ],
  ]),
  breaksIn(`${PROOFS}/client-assertion.ts`, ASSERTION, [
    [
      "if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };",
      '',
      'accepts any signature',
    ],
    [
      'const flaw = timesFlaw(token.claims, now, LONGEST_SECONDS);',
      'const flaw = timesFlaw(token.claims, now);',
      'accepts assertions valid for years',
    ],
    ['if (flaw) return { refusal: flaw };', '', 'accepts assertions at any time'],
    [
      "if (!isOnlyFor(aud, audiences)) return { refusal: 'aud' };",
      '',
      'accepts assertions for any audience',
    ],
    [
      "return isNew ? { client } : { refusal: 'used before' };",
      "return isNew || client ? { client } : { refusal: 'used before' };",
      'accepts an assertion twice',
    ],
    [
      "return jti === undefined ? { refusal: 'jti' } : { subject: sub, jti };",
      "return { subject: sub, jti: jti ?? '' };",
      'accepts an assertion without a jti',
    ],
    [
      "typeof sub !== 'string' || iss !== sub",
      "typeof sub !== 'string'",
      'accepts an assertion about another agent',
    ],
    [
      'clientId !== undefined && clientId !== sub',
      'false',
      'accepts the assertion of an agent other than the named one',
    ],
    ['!TYPES.includes(token.typ)', 'false', 'accepts another type of token'],
  ]),
  breaksIn(`${PROOFS}/workload-token.ts`, WORKLOAD, [
    [
      "if (!outsideSignatureIsValid(token, found.key)) return { refusal: 'signature' };",
      '',
      'accepts any signature',
    ],
    [
      "client.trusts.filter(({ issuer }) => issuer === claims['iss'])",
      "client.trusts.filter(({ issuer }) => issuer !== '')",
      'queries the issuer of another trust',
    ],
    [
      "if (!(await useUp(trust))) return { refusal: 'used before' };",
      'await useUp(trust);',
      'accepts a token twice',
    ],
    [
      'trusts.find((one) => trustFits(one, claims))',
      'trusts[0]',
      'ignores the conditions of the trust',
    ],
    ['if (flaw) return { refusal: flaw };', '', 'accepts tokens at any time'],
    ["token?.typ !== 'jwt'", '!token', 'accepts another type of token'],
  ]),
  breaksIn(`${PROOFS}/store.ts`, ASSERTION, [
    [".where('is_active', '=', true)\n", '\n', 'accepts the proof of an inactive agent'],
  ]),
  breaksIn(`${PROOFS}/spend-store.ts`, ASSERTION, [
    [
      'JSON.stringify([one.maker, one.jti])',
      'JSON.stringify([one.jti])',
      'lets one client use up the statement of another',
    ],
  ]),
  breaksIn(`${PROOFS}/key-set.ts`, `${PROOFS}/issuer-keys.test.ts`, [
    [
      'Math.min(Math.max(asked, LIFE_SECONDS.min), LIFE_SECONDS.max)',
      'Math.max(asked, LIFE_SECONDS.min)',
      'caches keys for as long as the issuer says',
    ],
  ]),
  breaksIn(`${PROOFS}/key-set.ts`, CLIENT_KEYS, [
    ['.slice(0, maxKeys)', '', 'reads any number of keys'],
    ['MAX_BYTES = 64 * 1024', 'MAX_BYTES = 1024 * 1024', 'reads key sets of any size'],
  ]),
  breaksIn(`${PROOFS}/issuer-metadata.ts`, `${PROOFS}/issuer-keys.test.ts`, [
    [
      "if (named !== issuer) return { refusal: 'discovery: another issuer' };",
      '',
      'lets one issuer speak for another',
    ],
    [' || isDowngrade(issuer, address)', '', 'fetches keys without TLS'],
  ]),
  breaksIn(`${PROOFS}/remote-keys.ts`, CLIENT_KEYS, [
    [
      'if (pending.size >= MAX_AT_ONCE) return tooBusy(clock.now().getTime());',
      '',
      'lets one tenant use up all connections',
    ],
    ['if (already) return already;', '', 'fetches once for each request'],
    [
      'goodUntilMs: nowMs + FAILURE_KEPT_MS',
      'goodUntilMs: nowMs',
      'asks an address that failed at once again',
    ],
  ]),
  breaksIn(
    'server/src/platform/cache/fair-cache.ts',
    'server/src/platform/cache/fair-cache.test.ts',
    [
      [
        'one[1].size > most[1].size',
        'one[1].size < most[1].size',
        'evicts from the owner who has least',
      ],
      [
        'if (share.size > this.#limits.maxOfOwner) this.#evictFrom(owner, share);',
        '',
        'gives one owner all',
      ],
      ['if (value !== undefined) this.#put(owner, key, value);', '', 'forgets what is read'],
    ],
  ),
  breaksIn(`${PROOFS}/remote-keys.ts`, `${PROOFS}/issuer-keys.test.ts`, [
    [
      'const known = kept.get(tenantId, address);',
      "const known = kept.get('org_one' as TenantId, address);",
      'shares keys among tenants',
    ],
    ['known.goodUntilMs > nowMs ? known', 'known.goodUntilMs > 0 ? known', 'caches keys forever'],
    [
      '!key && current.askedAtMs + ASK_AGAIN_MS <= nowMs',
      '!key',
      'queries the issuer for every unknown key',
    ],
  ]),
  breaksIn(
    'server/src/platform/crypto/outside-jws.ts',
    'server/src/platform/crypto/outside-jws.test.ts',
    [
      [
        'token.kid === undefined || token.kid === kid',
        'token.kid !== null',
        'tries keys with another kid',
      ],
      [
        'fitting.length === 1 ? fitting[0] : undefined',
        'fitting[0]',
        'uses the first of two matching keys',
      ],
      [
        'algorithms.includes(token.alg) && (token.kid',
        '(token.kid',
        'uses a key of another algorithm',
      ],
      [
        'if (PRIVATE_MEMBERS.some((name) => Object.hasOwn(jwk, name))) return undefined;',
        '',
        'accepts a private key',
      ],
      [
        "['jwk', 'jku', 'x5u', 'crit', 'b64', 'zip']",
        "['jwk', 'jku', 'x5u', 'b64', 'zip']",
        'accepts a token with critical header fields',
      ],
      ['modulusLength >= RSA_BITS.min &&', '', 'accepts short RSA keys'],
      ['publicExponent >= 3n &&', '', 'accepts an exponent of 1'],
    ],
  ),
];
