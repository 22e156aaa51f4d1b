// The guides to email and to logins by email, pasted block by block into a shell, with a newly started service.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { UserRecord } from '@keywright/contract/records/user';
import { Authority } from '../harness/certificate.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { type MailSink, startMailSink } from '../harness/mail-sink.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { type Block, blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { paste } from './shell.ts';
import { welcomed } from './welcome.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAILBOX = 'grace@example.org';
const OPERATOR = { user: 'operator', password: 'p@ss/word:1' };
const TENANT = { user: 'acme', password: "it's a secret" };

type Answer = Readonly<Record<string, unknown>>;
type Choices = Readonly<Record<string, string>>;

interface Started {
  readonly server: ServerProcess;
  readonly secret: string;
  readonly shell: LongShell;
}

/** A first start with the embedded database, and a shell for its user. */
async function start(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const dataDir = join(await temporaryDirectory('mail-guide'), 'data');
  const server = await welcomed(
    await startServerProcess({ env: { KEYWRIGHT_DATA_DIR: dataDir, ...env } }),
  );
  t.after(() => server.kill9());
  const { PATH = '', ...inherited } = inheritedEnvironment();
  const path = `${ROOT}/node_modules/.bin:${PATH}`;
  const shell = new LongShell({ ...inherited, PATH: path }, await temporaryDirectory('guide'));
  t.after(() => shell.close());
  return { server, secret: /^ {2}Password +(\S+)/m.exec(server.stdout)?.[1] ?? '', shell };
}

function commandsOf(page: string): Block[] {
  return blocksOf(page).filter(({ language }) => language === 'sh');
}

/** Removes the only block with this text from the remaining blocks, and returns it. */
function take(blocks: Block[], text: string): Block {
  const found = blocks.filter((block) => block.text.includes(text));
  assert.equal(found.length, 1, `one block has ${text}`);
  const [block] = blocks.splice(blocks.indexOf(found[0] as Block), 1);
  return block as Block;
}

test('The guides to mail send through the server of the operator and of a tenant, and handle a bounce', async (t) => {
  const authority = new Authority();
  const certificate = authority.issue(['localhost']);
  const open = (users: Readonly<Record<string, string>>) => startMailSink({ certificate, users });
  const operator = await open({ [OPERATOR.user]: OPERATOR.password });
  const tenant = await open({ [TENANT.user]: TENANT.password });
  t.after(() => Promise.all([operator.close(), tenant.close()]));
  const blocks = commandsOf('mail.md');
  const login = `${OPERATOR.user}:${encodeURIComponent(OPERATOR.password)}`;
  const settings = choicesIn(take(blocks, 'KEYWRIGHT_SMTP_URL='), {
    KEYWRIGHT_SMTP_URL: `smtp://${login}@localhost:${operator.port}`,
    KEYWRIGHT_MAIL_FROM: 'no-reply@example.com',
  });
  const ca = join(await temporaryDirectory('authority'), 'ca.pem');
  await writeFile(ca, authority.ca);
  const { server, secret, shell } = await start(t, {
    ...(await variablesAfter(settings)),
    NODE_EXTRA_CA_CERTS: ca,
    KEYWRIGHT_EGRESS_ALLOW: 'localhost',
  });
  const run = async (text: string): Promise<Answer> => {
    const output = await shell.run(take(blocks, text).text);
    return output === '' ? {} : (JSON.parse(output) as Answer);
  };
  const choices = {
    KEYWRIGHT: `http://localhost:${new URL(server.url).port}`,
    IDENTIFIER: 'admin@keywright.localhost',
    SECRET: secret,
  };
  await shell.run(choicesIn(take(blocks, 'IDENTIFIER='), choices));
  await run('TOKEN=$(');
  await shell.run(choicesIn(take(blocks, 'MAILBOX='), { MAILBOX }));
  const sendTest = blocks.find(({ text }) => text.includes('/messaging/test'));
  assert.ok(sendTest);

  const { id } = await run('/messaging/test');
  const [first] = await mailsOf(operator, 1);
  assert.equal(first?.user, OPERATOR.user);
  assert.equal(first?.parsed.from?.address, 'no-reply@example.com');
  const log = take(blocks, '/messages?');
  await until('it is in the log as sent', async () => {
    const { items } = JSON.parse(await shell.run(log.text)) as { items: Answer[] };
    return items[0]?.['id'] === id && items[0]?.['status'] === 'sent';
  });

  await shell.run(
    choicesIn(take(blocks, 'SMTP_HOST='), {
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(tenant.port),
      SMTP_USER: TENANT.user,
      SMTP_PASSWORD: TENANT.password.replaceAll("'", `'\\''`),
      SENDER: 'login@acme.example',
    }),
  );
  const { messaging } = await run('"messaging\\"');
  assert.equal((messaging as { email: Answer }).email['smtp_password'], '********');
  const preview = await setText(shell, choices);
  await shell.run(sendTest.text);
  const [second] = await mailsOf(tenant, 1);
  assert.equal(second?.user, TENANT.user);
  assert.equal(second?.parsed.from?.address, 'login@acme.example');
  assert.equal(second?.parsed.subject, preview['subject']);
  assert.doesNotMatch(second?.parsed.text ?? '', /Or open/, 'the tenant has no magic_link_url');
  assert.deepEqual(blocks, [], 'every block was run');
  await reportBounce(shell, choices);
});

/** A page whose first blocks choose the values of the service and sign in. */
async function follow(page: string, shell: LongShell, choices: Choices) {
  const blocks = commandsOf(page);
  await shell.run(choicesIn(take(blocks, 'IDENTIFIER='), choices));
  await shell.run(take(blocks, 'TOKEN=$(curl').text);
  const run = async (text: string): Promise<Answer> => {
    const output = await shell.run(take(blocks, text).text);
    return output === '' ? {} : (JSON.parse(output) as Answer);
  };
  return { blocks, run };
}

/** Follows the guide to templates. @returns the preview of the text that it sets */
async function setText(shell: LongShell, choices: Choices): Promise<Answer> {
  const { blocks, run } = await follow('mail-texts.md', shell, choices);
  const { subject } = await run('/messaging/templates/login/en');
  assert.equal(subject, 'Your code for {{company}}');
  const preview = await run('/messaging/preview');
  assert.match(
    String(preview['text']),
    /^Default Tenant\n\nHello,\n\nyour code is [0-9]{8}\.\n\nOr open http\S+ in /,
  );
  assert.deepEqual(blocks, [], 'every block was run');
  return preview;
}

/** Follows the guide to bounces. */
async function reportBounce(shell: LongShell, choices: Choices): Promise<void> {
  const { blocks, run } = await follow('bounces.md', shell, choices);
  await run('FEEDBACK=$(');
  await shell.run(choicesIn(take(blocks, 'MAILBOX='), { MAILBOX }));
  await run('"$FEEDBACK"');
  const suppressed = (await run('/messaging/suppressions -H')) as { items: Answer[] };
  assert.deepEqual(
    suppressed.items.map(({ to, reason }) => [to, reason]),
    [['g…@e….org', 'bounce']],
  );
  await run('/messaging/suppressions/$MAILBOX');
  assert.deepEqual(blocks, [], 'every block was run');
}

/** The variables that these commands set. */
async function variablesAfter(commands: string): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await paste(`${commands}\nenv | grep ^KEYWRIGHT_`, {});
  assert.equal(code, 0, stderr);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line): [string, string] => {
        const [name = ''] = line.split('=', 1);
        return [name, line.slice(name.length + 1)];
      }),
  );
}

async function mailsOf(sink: MailSink, count: number) {
  await until(`${count} mails`, () => sink.mails.length >= count);
  return sink.mails;
}

test('The guides to logins by email sign a new user in by a code and by a link, and undo a change', async (t) => {
  const { server, secret, shell } = await start(t);
  const KEYWRIGHT = `http://localhost:${new URL(server.url).port}`;
  const blocks = commandsOf('magic-links.md');
  const run = (block: Block, address = 'grace@example.com') =>
    shell.run(block.text.replaceAll('grace@example.com', address));
  const choices = { KEYWRIGHT, IDENTIFIER: 'admin@keywright.localhost', SECRET: secret };
  await shell.run(choicesIn(take(blocks, 'IDENTIFIER='), choices));
  await run(take(blocks, 'TOKEN=$(curl'));
  const [startFlow, message, code, redeem] = [
    take(blocks, 'FLOW=$('),
    take(blocks, '/message '),
    take(blocks, 'CODE=$('),
    take(blocks, '/code '),
  ];
  await run(startFlow);
  const sent = JSON.parse(await run(message)) as Answer;
  assert.equal(sent['sent_to'], 'g…@e….com');
  await until('the message is shown', async () =>
    (await (await fetch(`${KEYWRIGHT}/dev/messages`)).text()).includes('grace@example.com'),
  );
  await run(code);
  const { user, access_token: access } = JSON.parse(await run(redeem)) as {
    user: UserRecord;
    access_token: string;
  };
  assert.deepEqual(user.identifiers, [
    { type: 'email', identifier: 'grace@example.com', verified: true },
  ]);
  assert.deepEqual(claimsOf(access)['amr'], ['email']);

  const changed = JSON.parse(await run(take(blocks, 'magic_link_url'))) as Answer;
  assert.equal((changed['config'] as Answer)['magic_link_url'], 'http://localhost:3000/login');
  await run(startFlow, 'ada@example.com');
  await run(message, 'ada@example.com');
  const linkToken = await until('the link is shown', async () => {
    const page = await (await fetch(`${KEYWRIGHT}/dev/messages`)).text();
    return /localhost:3000\/login#link_token=([\w.-]+)/.exec(page)?.[1];
  });
  await shell.run(choicesIn(take(blocks, 'LINK_TOKEN='), { LINK_TOKEN: linkToken ?? '' }));
  const linked = JSON.parse(await run(take(blocks, '/link '))) as LinkedUser;
  assert.equal(linked.user.identifiers[0]?.identifier, 'ada@example.com');
  const shown = async () => (await fetch(`${KEYWRIGHT}/dev/messages`)).text();
  assert.deepEqual(blocks, [], 'every block was run');
  const undoToken = await addAddress(server, linked.access_token, shown);
  await followUndo(shell, choices, undoToken);
});

/** Follows the guide to changed email addresses. */
async function followUndo(shell: LongShell, choices: Choices, undoToken: string): Promise<void> {
  const { blocks, run } = await follow('change-identifiers.md', shell, choices);
  await shell.run(choicesIn(take(blocks, 'UNDO_TOKEN='), { UNDO_TOKEN: undoToken }));
  assert.deepEqual(await run('/undo '), { restored: true });
  assert.deepEqual(blocks, [], 'every block was run');
}

interface LinkedUser {
  readonly user: UserRecord;
  readonly access_token: string;
}

/** Adds an address. @returns the undo token that is sent to the user's other address */
async function addAddress(
  { http }: Awaited<ReturnType<typeof start>>['server'],
  token: string,
  shown: () => Promise<string>,
): Promise<string> {
  const identifier = 'lovelace@example.com';
  await http.request('POST', '/me/identifiers', { token, body: { identifier } });
  const code = await until('the code is shown', async () => {
    const [, text = ''] = (await shown()).split(`To ${identifier},`);
    return /\b[0-9]{8}\b/.exec(text)?.[0];
  });
  const options = { token, body: { identifier, code } };
  const { status } = await http.request('POST', '/me/identifiers/verification', options);
  assert.equal(status, 200);
  return until('the undo is shown', async () => /#undo_token=([\w.-]+)/.exec(await shown())?.[1]);
}
