import { breaksIn, type DirectedBreaks } from '../breaks.ts';

const DPOP = 'server/src/modules/tokens/dpop';
const TOKENS = 'server/src/modules/oauth/token-endpoint/dpop.test.ts';
const NONCES = 'server/src/modules/oauth/token-endpoint/dpop-nonces.test.ts';

export const PROOFS_OF_POSSESSION: readonly DirectedBreaks[] = [
  breaksIn(`${DPOP}/proof.ts`, `${DPOP}/proof.test.ts`, [
    ["if (htm !== method) return 'htm';", '', 'accepts a proof for another method'],
    ["if (!isAddressOf(htu, address)) return 'htu';", '', 'accepts a proof for another address'],
    ["username === '' && password === '' && ", '', 'accepts an address with a user'],
    [
      " || Math.abs(seconds - iat) > DPOP_WINDOW_SECONDS) return 'iat';",
      ") return 'iat';",
      'accepts an old proof',
    ],
    [
      "if (!outsideSignatureIsValid(token, key)) return { flaw: 'signature' };",
      '',
      'accepts a proof that another key signed',
    ],
    ["if (token.typ !== 'dpop+jwt') return { flaw: 'typ' };", '', 'accepts other tokens'],
  ]),
  breaksIn(`${DPOP}/dpop.ts`, TOKENS, [
    [
      "if (scheme !== 'dpop') return refuse('invalid_token', 'bound token as bearer');",
      '',
      'takes the scheme of a bearer token with a proof',
    ],
    [
      "if (verdict.proof.jkt !== jkt) return refuse('invalid_token', 'proof by another key');",
      '',
      'accepts a proof by another key',
    ],
    [
      "if (!(await isNew(tenant, verdict.proof))) refuse('invalid_dpop_proof', 'used before');",
      '',
      'accepts a proof again',
    ],
    [
      "if (!(await used())) refuse('DPOP_INVALID', { internal: 'used before' });",
      '',
      'issues another token for a proof',
    ],
  ]),
  breaksIn(`${DPOP}/dpop.ts`, NONCES, [
    ['nonce !== undefined && nonces.isGood(tenant.id, nonce, now)', 'true', 'demands no nonce'],
  ]),
  breaksIn(`${DPOP}/nonces.ts`, NONCES, [
    ['[minute, minute - 1, minute + 1]', '[minute]', 'accepts a nonce for less than a minute'],
    [
      "hkdfSync('sha256', root, '', 'keywright dpop nonces', 32)",
      "hkdfSync('sha256', 'one for all', '', 'keywright dpop nonces', 32)",
      'accepts the nonces of other tenants',
    ],
  ]),
  breaksIn('server/src/tenancy/presented.ts', TOKENS, [
    ['host: isOfHost ? peer.host : undefined', 'host: peer.host', 'believes any host'],
  ]),
  breaksIn('server/src/modules/oauth/token-endpoint/presented-token.ts', TOKENS, [
    ['claims.cnf ? undefined : claims', 'claims', 'takes a bound token as a credential'],
  ]),
  breaksIn('server/src/modules/oauth/token-endpoint/code-grant.ts', TOKENS, [
    [
      'code.jkt !== undefined && code.jkt !== key?.jkt',
      'false',
      'takes a bound code of another key',
    ],
  ]),
  breaksIn('server/src/modules/tokens/sessions/refresh-checks.ts', TOKENS, [
    [' && client.jkt !== use.jkt', ' && false', 'refreshes for another key of a public client'],
    ['!use.client?.isConfidential && ', '', 'binds refresh tokens of clients that authenticate'],
  ]),
];
