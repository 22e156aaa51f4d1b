import {
  type OutsideKey,
  type OutsideToken,
  readPublicJwk,
} from '../../../platform/crypto/outside-jws.ts';

/** Public keys whose private keys nobody has. */
const DECOYS = [
  { kty: 'OKP', crv: 'Ed25519', x: 'Xh4ir7_KwqUfooA25MVUp--Gmq3D2bcBT5SopodHitc' },
  {
    kty: 'EC',
    crv: 'P-256',
    x: 'U5MeLVAx1UCjxapSxoewBsa3LynCihLOauha5yL85lY',
    y: '8eAGSkgBAVC-667tEi3KMQy9kSLPOaOSDZDE_nliBuo',
  },
  {
    kty: 'RSA',
    n: 'yhl_VfSna60URFs_bCweZoUXeOdvaFFKYRC955rLvw_SseGevlZdSVoZQ8x17eatp6WaTspPE8tWyliPZG2yMdRSg26ebyzf7eLvJdz01fvmG7n06b_8UyLTKIMgPI9v6AvcKa7XNhMW17gg9129t2UVbbMXJ8d9lELJC6uYFkjbpSHmgZAp637MkqAHOWQUHrH7iVqf25C6DpOutWBjOkd66er4X0MUJoNU-_D6fFJa_8erqpBguuqNg8okdsfQcS3nb6UF-uggvTKLtUkqv9Tc4MWytuNebIXgiAvzvRZOIq9Quowg_aD8B_94y6x5sb5S6ZnhXdkt4gDlKay-Qw',
    e: 'AQAB',
  },
];

/**
 * The key that a statement is checked against where there is no agent, or none of its keys fits: the answer takes
 * as long as it would for a wrong signature, and is the same.
 */
export function decoyFor({ alg }: OutsideToken): OutsideKey | undefined {
  return DECOYS.map(readPublicJwk).find((key) => key?.algorithms.includes(alg));
}
