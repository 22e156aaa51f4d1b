// node verify.mjs <issuer> <audience> reads one token per line and reports whether each is valid.

import { createInterface } from 'node:readline';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const [issuer, audience] = process.argv.slice(2);

// In docs/guide/libraries.md:
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));

async function verify(token) {
  const { payload } = await jwtVerify(token, keys, {
    issuer,
    audience,
    typ: 'at+jwt',
    algorithms: ['EdDSA'],
    requiredClaims: ['exp'],
  });
  return payload;
}
// To here.

for await (const token of createInterface({ input: process.stdin })) {
  const verdict = await verify(token).then(
    ({ sub }) => `accepted: ${sub}`,
    (error) => `refused: ${error.message}`,
  );
  process.stdout.write(`${verdict}\n`);
}
