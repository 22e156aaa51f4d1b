// node:http alone: the minimum cost of a response of the size of a key set.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const BODY = JSON.stringify({
  keys: [
    {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'key_01jd7m3wq8f0a9b5c6d7e8f9ga',
      alg: 'EdDSA',
      use: 'sig',
    },
  ],
});
/** As in the service. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(BODY)),
};

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_request, response) => {
  response.writeHead(200, HEADERS).end(BODY);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit());
