// The guide to webhooks: each receiver is run unmodified, and receives the deliveries that the commands cause.

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
import { type Block, blocksOf } from './guide-page.ts';
import { paste } from './shell.ts';

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
  tenant = await keywright.tenant('guided');
});
after(() => keywright.close());

function blockWith(text: string): Block {
  const found = blocks.filter((block) => block.language !== 'http' && block.text.includes(text));
  assert.equal(found.length, 1, `one block of the guide has ${text}`);
  return found[0] as Block;
}

/** Pastes a block, with the addresses of this service and a receiver substituted. */
async function follow(
  block: Block,
  values: Readonly<Record<string, string>>,
  receiver = '',
): Promise<string> {
  const text = block.text
    .replaceAll('localhost:8080', new URL(keywright.nodes[0]?.url ?? '').host)
    .replaceAll('https://hooks.example.com', receiver)
    .replaceAll('curl -s', `curl -sf -H 'x-tenant-id: ${tenant.id}'`);
  const env = { TOKEN: await tenant.adminToken(), ...values };
  const { code, stdout, stderr } = await paste(`set -e\n${text}`, env);
  assert.equal(code, 0, `${text}\n${stdout}${stderr}`);
  return stdout;
}

async function register(receiver: string): Promise<{ id: string; secret: string }> {
  const block = blockWith('"url":"https://hooks.example.com/webhooks"');
  return JSON.parse(await follow(block, {}, receiver)) as { id: string; secret: string };
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
  test(`the receiver in ${name} accepts events, tests, retries and replays`, async (t) => {
    const port = await freePort();
    const { id: webhook, secret } = await register(`http://127.0.0.1:${port}`);
    const text = blockWith(mark)
      .text.replace("(3000, 'localhost')", `(${port}, '127.0.0.1')`)
      .replace('("localhost", 3000)', `("127.0.0.1", ${port})`);
    const written = start(t, command, text, { WEBHOOK_SECRET: secret });
    await until('it listens', async () => {
      written();
      return fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).then(
        (answer) => answer.status === 401,
        () => false,
      );
    });
    const { user } = await tenant.createUser();
    await until('the event comes', () => / user\.created$/m.test(written()));
    const [event = ''] = /evt_\w+/.exec(written()) ?? [];
    const times = (id: string) => written().split(id).length - 1;

    const delivery = await until('it is in the log', async () => {
      const path = `/webhooks/${webhook}/deliveries?status=delivered`;
      const { body } = await tenant.request<{ items: DeliveryRecord[] }>('GET', path, {
        token: await tenant.adminToken(),
      });
      return body.items.find((one) => one.event_id === event);
    });
    const values = { WEBHOOK: webhook, DELIVERY: delivery.id, EVENT: event };
    await tenant.createUser();
    await until('the next one comes', () => written().match(/user\.created$/gm)?.length === 2);
    await follow(blockWith('/test -H'), values);
    await until('the test comes', () => written().includes('webhook.test'));
    await until('the one comes again', () => times(event) === 2);
    await follow(blockWith('/rotate'), values);
    await follow(blockWith('/test -H'), values);
    await until('while both secrets are good', () => times('webhook.test') === 2);
    assert.ok(user.id);
  });
}

test('the log shows failed deliveries', async () => {
  const receiver = await startReceiver((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  try {
    const { id: webhook } = await register(`http://127.0.0.1:${receiver.port}`);
    await tenant.createUser();
    await until('the failure is in the log', async () => {
      const block = blockWith('deliveries?status=failed');
      const told = JSON.parse(await follow(block, { WEBHOOK: webhook })) as {
        items: DeliveryRecord[];
      };
      return told.items[0]?.reason?.startsWith('status_410');
    });
  } finally {
    await receiver.close();
  }
});
