// Plain node:http: the minimum cost of a response. The default response is a key set.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const KEY_SET = JSON.stringify({
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
const RESPONSE =
  process.argv[2] ??
  `HTTP/1.1 200 OK\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${KEY_SET.length}\r\n\r\n${KEY_SET}`;
/** As in the service. */
const KEEP_ALIVE_MS = 65_000;
/** Headers that node:http itself sends. */
const AUTOMATIC = new Set(['date', 'connection', 'keep-alive']);

const bodyAt = RESPONSE.indexOf('\r\n\r\n') + 4;
const [statusLine = '', ...lines] = RESPONSE.slice(0, bodyAt - 4).split('\r\n');
const status = Number(statusLine.split(' ')[1]);
const headers = lines
  .map((line) => /^([^:]+): ?(.*)$/.exec(line)?.slice(1) ?? [])
  .filter(([name = '']) => !AUTOMATIC.has(name.toLowerCase()))
  .flat();
const body = Buffer.from(RESPONSE.slice(bodyAt), 'latin1');

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (_request, response) => {
  response.writeHead(status, headers).end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
process.on('disconnect', () => process.exit());
