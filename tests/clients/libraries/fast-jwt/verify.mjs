// node verify.mjs <issuer> <audience> reads one token per line and reports whether each is valid.

import { createInterface } from 'node:readline';
import { createPublicKey } from 'node:crypto';
import { createVerifier } from 'fast-jwt';

const [issuer, audience] = process.argv.slice(2);

// In docs/guide/libraries.md:
// Fetch it again every five minutes, and when a token names an unknown key.
const { keys } = await (await fetch(`${issuer}/.well-known/jwks.json`)).json();

const verify = createVerifier({
  key: async ({ header }) => {
    const jwk = keys.find(({ kid }) => kid === header.kid);
    if (jwk === undefined) throw new Error('unknown key');
    return createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
  },
  algorithms: ['EdDSA'],
  allowedIss: issuer,
  allowedAud: audience,
  requiredClaims: ['iss', 'aud', 'exp'],
  checkTyp: 'at+jwt',
});
// To here.

for await (const token of createInterface({ input: process.stdin })) {
  const verdict = await verify(token).then(
    ({ sub }) => `accepted: ${sub}`,
    (error) => `refused: ${error.message}`,
  );
  process.stdout.write(`${verdict}\n`);
}
