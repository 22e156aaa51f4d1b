// node verify.mjs <issuer> <audience> reads tokens, one a line. It accepts none: jsonwebtoken has no EdDSA.

import { createPublicKey } from 'node:crypto';
import { createInterface } from 'node:readline';
import jsonwebtoken from 'jsonwebtoken';

const [issuer, audience] = process.argv.slice(2);
const { keys } = await (await fetch(`${issuer}/.well-known/jwks.json`)).json();
const key = createPublicKey({ key: keys[0], format: 'jwk' });

function verdictOn(token) {
  try {
    const rules = { algorithms: ['EdDSA'], issuer, audience };
    return `accepted: ${jsonwebtoken.verify(token, key, rules).sub}`;
  } catch (error) {
    return `refused: ${error.message}`;
  }
}

for await (const token of createInterface({ input: process.stdin })) {
  process.stdout.write(`${verdictOn(token)}\n`);
}
