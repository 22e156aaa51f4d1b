// The guide to webhooks: the test runs each receiver unmodified, and the commands cause deliveries to it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { after, before, test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { DeliveryRecord } from '@keywright/contract/records/webhook';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type Keywright, startKeywright } from '../harness/keywright.ts';
import { freePort } from '../harness/postgres.ts';
import { startReceiver } from '../harness/receiver.ts';
import type { TestTenant } from '../harness/tenant.ts';
import { until } from '../harness/until.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const blocks = blocksOf('webhooks.md');
const RECEIVERS = [
  ['Node.js with the SDK', 'verifyWebhook', ['node', '--input-type=module', '-']],
  ['Node.js with standardwebhooks', 'new Webhook(', ['node', '--input-type=module', '-']],
  ['Python', 'BaseHTTPRequestHandler', ['python3', '-']],
] as const;

let keywright: Keywright;
let tenant: TestTenant;

before(async () => {
  keywright = await startKeywright({ env: { KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' } });
  tenant = keywright.home;
});
after(() => keywright.close());

/** The program of the page with this text. */
function receiverWith(text: string): string {
  const found = blocks.filter(({ language }) => ['js', 'python'].includes(language));
  const [block, ...others] = found.filter((candidate) => candidate.text.includes(text));
  assert.ok(block && others.length === 0, `one program of the guide has ${text}`);
  return block.text;
}

/** Follows the page up to the registration of a receiver at this port. */
async function register(t: TestContext, port: number): Promise<GuideShell> {
  const guide = await GuideShell.open('webhooks.md');
  t.after(() => guide.close());
  const { identifier, password } = keywright.admin;
  await guide.logIn({ KEYWRIGHT: keywright.url, IDENTIFIER: identifier, SECRET: password });
  await guide.paste('RECEIVER=', (text) =>
    text.replace('http://localhost:3000', `http://127.0.0.1:${port}`),
  );
  return guide;
}

/** Causes an event as the page does. @returns its delivery to this receiver */
async function causeEvent(guide: GuideShell, status: string): Promise<DeliveryRecord> {
  const webhook = await guide.valueOf('WEBHOOK');
  await guide.paste('wim@example.com', (text) => text.replace('wim@', `${webhook}@`));
  const token = await tenant.adminToken();
  return until('the delivery is in the log', async () => {
    const path = `/webhooks/${webhook}/deliveries?status=${status}`;
    const { body } = await tenant.request<{ items: DeliveryRecord[] }>('GET', path, { token });
    return body.items[0];
  });
}

/** Runs a receiver of the page. @returns its output so far */
function start(
  t: TestContext,
  [program, ...args]: readonly string[],
  text: string,
  env: Readonly<Record<string, string>>,
): () => string {
  const child: ChildProcess = spawn(program === 'node' ? process.execPath : String(program), args, {
    cwd: ROOT,
    env: { ...inheritedEnvironment(), NODE_OPTIONS: '--conditions=@keywright/source', ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  child.stdin?.end(text);
  return () => {
    assert.equal(child.exitCode, null, output);
    return output;
  };
}

for (const [name, mark, command] of RECEIVERS) {
  test(`The receiver in ${name} of the webhooks guide accepts events, tests, retries and replays`, async (t) => {
    const port = await freePort();
    const guide = await register(t, port);
    const text = receiverWith(mark)
      .replace("(3000, 'localhost')", `(${port}, '127.0.0.1')`)
      .replace('("localhost", 3000)', `("127.0.0.1", ${port})`);
    const WEBHOOK_SECRET = await guide.valueOf('WEBHOOK_SECRET');
    const written = start(t, command, text, { WEBHOOK_SECRET });
    await until('it listens', async () => {
      written();
      return fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).then(
        (answer) => answer.status === 401,
        () => false,
      );
    });
    const { id: delivery, event_id: event } = await causeEvent(guide, 'delivered');
    await until('the event comes', () => written().includes(`${event} user.created\n`));
    const times = (id: string) => written().split(id).length - 1;

    await guide.paste('DELIVERY=');
    assert.equal(await guide.valueOf('DELIVERY'), delivery);
    assert.equal(await guide.valueOf('EVENT'), event);
    await tenant.createUser();
    await until('the next one comes', () => written().match(/user\.created$/gm)?.length === 2);
    await guide.paste('/test -H');
    await until('the test comes', () => written().includes('webhook.test'));
    await until('the one comes again', () => times(event) === 2);
    await guide.paste('/rotate');
    await guide.paste('/test -H');
    await until('while both secrets are good', () => times('webhook.test') === 2);
    assert.deepEqual(guide.left, ['KEYWRIGHT_EGRESS_ALLOW=localhost npm start\n']);
  });
}

test('The delivery log of the webhooks guide shows failed deliveries', async (t) => {
  const receiver = await startReceiver((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  try {
    const guide = await register(t, receiver.port);
    await causeEvent(guide, 'failed');
    const { items } = await guide.pasteForJson<{ items: DeliveryRecord[] }>('DELIVERY=');
    assert.match(items[0]?.reason ?? '', /^status_410/);
  } finally {
    await receiver.close();
  }
});
