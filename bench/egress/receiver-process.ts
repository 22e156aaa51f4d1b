// Receives calls over http and https in a separate process, so that its work is not counted.

import { Authority } from '@keywright/tests/harness/certificate';
import { startDnsServer } from '@keywright/tests/harness/dns-server';
import { startReceiver } from '@keywright/tests/harness/receiver';

export const HOSTS: readonly string[] = Array.from({ length: 200 }, (_, at) => `h${at}.test`);

export interface Receivers {
  readonly ca: string;
  readonly dns: string;
  readonly http: number;
  readonly https: number;
}

/** Requests to this path close the connection. */
export const CLOSING = '/closing';

if (process.send) {
  const authority = new Authority();
  const answer: Parameters<typeof startReceiver>[0] = (request, response) => {
    request.resume().on('end', () => {
      const headers = { 'content-type': 'application/json' };
      const more = request.url === CLOSING ? { connection: 'close' } : {};
      response.writeHead(200, { ...headers, ...more }).end('{"ok":true}');
    });
  };
  const plain = await startReceiver(answer);
  const secure = await startReceiver(answer, { certificate: authority.issue(HOSTS) });
  const dns = await startDnsServer(() => ['127.0.0.1']);
  const receivers: Receivers = {
    ca: authority.ca,
    dns: dns.address,
    http: plain.port,
    https: secure.port,
  };
  process.send(receivers);
}
