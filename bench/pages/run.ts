import { launchBrowser } from '@keywright/tests/conformance/browser';
import type { Bench } from '../measure/bench.ts';
import type { Output } from '../report/output.ts';
import { authorizationOf, insertClients, OPEN_ID } from '../target/applications.ts';
import { freePort, startService } from '../target/service.ts';
import { measureFirstView } from './paint.ts';

/** As `--row` names it. */
export const PAINT = 'page-paint';

const MOST_MS = 200;

/** Measures the time from a click on "log in" until the login page is painted. */
export async function runPaint(bench: Bench, output: Output): Promise<void> {
  output.say(PAINT);
  const browser = await launchBrowser();
  if (!browser) throw new Error('There is no Chromium here.');
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const service = await startService({ ...bench.env, KEYWRIGHT_BASE_URL: issuer }, port);
  try {
    await measureFirstView(bench, output, browser, {
      row: PAINT,
      address: await addressOf(bench, issuer),
      last: 'input:visible',
      atMostMs: MOST_MS,
    });
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** Returns the address that an application redirects users to for login. */
async function addressOf({ seed: { tenantId }, database }: Bench, issuer: string): Promise<string> {
  const query = database.query.bind(database);
  const [client] = await insertClients(query, [tenantId], 'EdDSA');
  const parameters = new URLSearchParams(authorizationOf(client?.id ?? '', OPEN_ID)).toString();
  return `${issuer}/t/${tenantId}/oauth/authorize?${parameters}`;
}
