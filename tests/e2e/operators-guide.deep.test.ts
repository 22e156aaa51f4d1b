// The operator's guide, whose pages are pasted in their order, block by block, into one shell. Values that readers
// choose are set here; git is skipped, since this is the clone, and npm commands are replaced by their scripts.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { httpClient } from '../harness/http.ts';
import { inheritedEnvironment } from '../harness/child-environment.ts';
import { findSystemBinaries } from '../harness/postgres-binaries.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { claimsOf } from '../harness/token.ts';
import { until } from '../harness/until.ts';
import { type Block, blocksOf, choicesIn } from './guide-page.ts';
import { LongShell } from './long-shell.ts';
import { runStatements } from './statements.ts';
import { startTlsProxy, type TlsProxy } from './tls-proxy.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { readonly prekeywright: string };
};
const [BASE_HOST, TENANT_HOST] = ['id.keywright.test', 'login.acme.test'];
/** Replaces slow or missing commands: npx runs local files, and npm the scripts of package.json. */
const STAND_INS = `
  git() { :; }
  npm() { shift 3; ${scripts.prekeywright} && keywright "$@"; }
  npx() { "$@"; }
  curl() { command curl --connect-to "${BASE_HOST}:443:127.0.0.1:$PROXY_PORT" \\
    --connect-to "${TENANT_HOST}:443:127.0.0.1:$PROXY_PORT" "$@"; }
`;
/** Skips the delay for load balancers, since there are none. */
const STOP_AT_ONCE = `stop() { kill -INT "$NODE"; wait "$NODE"; }`;
const HEALTHY = /^No problems found\.$/m;

/** The pages of the guide, in their order. */
type Page = 'operating.md' | 'proxy.md' | 'keys.md' | 'backup.md' | 'upgrade.md';

const binaries = findSystemBinaries();

let server: PostgresServer;
let proxy: TlsProxy;
let shell: LongShell;
let settings: string;
let ports: number[];
let values: Readonly<Record<string, string>>;

before(async () => {
  const folder = await temporaryDirectory('guide');
  const options = binaries === undefined ? {} : { binaries };
  server = await startPostgres({ superuser: 'postgres', ...options });
  ports = await freePorts(3);
  proxy = await startTlsProxy(folder, [BASE_HOST, TENANT_HOST], ports.slice(0, 2));
  settings = join(folder, 'keywright.env');
  const { PATH = '', ...inherited } = inheritedEnvironment();
  shell = new LongShell(
    {
      ...inherited,
      PATH: [join(ROOT, 'node_modules/.bin'), binaries, PATH].filter(Boolean).join(':'),
      CURL_CA_BUNDLE: proxy.certificate,
      PROXY_PORT: String(proxy.port),
    },
    ROOT,
  );
  await shell.run(STAND_INS);
  values = valuesIn(folder);
});

after(async () => {
  await shell.close();
  await proxy.close();
  await server.close();
});

/** The values that readers choose. */
function valuesIn(folder: string): Readonly<Record<string, string>> {
  const urlOf = (user: string, password: string, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${server.port}/${database}`;
  const [port, second, restored] = ports;
  return {
    REPOSITORY: ROOT,
    INSTALL_DIR: ROOT,
    SETTINGS: settings,
    LOGS: folder,
    PORT: String(port),
    SECOND_PORT: String(second),
    RESTORED_PORT: String(restored),
    BASE_URL: `https://${BASE_HOST}`,
    TENANT_HOST,
    ADMIN: 'you@example.com',
    DATABASE_URL: urlOf('keywright', 'choose-one', 'keywright'),
    BACKUP_URL: urlOf('keywright_backup', 'choose-another', 'keywright'),
    RESTORED_URL: urlOf('keywright', 'choose-one', 'keywright_restored'),
    BACKUP: join(folder, 'keywright.dump'),
  };
}

/** Sets the values that the first block of the page lets readers choose; passwords are those that a page printed. */
async function choose(page: Page, names: string): Promise<void> {
  const chosen: Record<string, string> = {};
  for (const name of names.split(' ')) {
    chosen[name] = values[name] ?? (await valueOf(name));
  }
  await shell.run(choicesIn(blocksOf(page)[0], chosen));
}

/** Pastes the section "Before you start", with the values of readers. */
async function prepare(page: Page, names: string): Promise<void> {
  await choose(page, names);
  const start = blocksOf(page).filter(({ heading }) => heading === 'Before you start');
  for (const { text } of start.slice(1)) await shell.run(text);
}

async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const found = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return found;
}

/** Pastes every block of the section. @returns the shell's output */
async function follow(page: Page, section: string): Promise<string> {
  let output = '';
  const blocks = blocksOf(page).filter(({ heading }) => heading === section);
  assert.ok(blocks.length > 0, `${page}: ${section}`);
  for (const { language, text } of blocks) {
    if (language === 'sh') output += await shell.run(text);
    if (language === 'sql') await runStatements(server, text);
  }
  return output;
}

async function valueOf(variable: string): Promise<string> {
  return (await shell.run(`echo "$${variable}"`)).trim();
}

/** Requests /me with a token on a node. @returns the status */
async function statusOfMe(token: string, tenant: string, port = ports[0]): Promise<number> {
  const http = httpClient(`http://127.0.0.1:${port}`);
  const { status } = await http.request('GET', '/me', { token, tenant });
  http.close();
  return status;
}

describe("the operator's guide, followed from start to end", () => {
  test('The operator guide installs the service on PostgreSQL as an ordinary user, with a first administrator', async () => {
    await choose(
      'operating.md',
      'REPOSITORY INSTALL_DIR SETTINGS LOGS PORT BASE_URL TENANT_HOST ADMIN DATABASE_URL',
    );
    assert.match(await follow('operating.md', 'Install'), /^keywright \d+\.\d+\.\d+$/m);
    for (const { text } of blocksOf('postgresql.md').filter(isSql))
      await runStatements(server, text);
    await follow('operating.md', 'Write the settings');
    assert.match(
      await follow('operating.md', 'Start the service'),
      /^Applied:[^]*^you@example\.com signs in with: \w{24}$[^]*"status":"ok"/m,
    );
    await shell.run(STOP_AT_ONCE);
    assert.match(
      await follow('operating.md', 'Create the first tenant'),
      /^root@login\.acme\.test signs in with: \w{24}$/m,
    );
  });

  test('The operator guide adds a proxy that leads to the default tenant', async () => {
    await prepare(
      'proxy.md',
      'INSTALL_DIR SETTINGS BASE_URL TENANT_HOST ADMIN ADMIN_SECRET TENANT_SECRET',
    );
    const output = await follow('proxy.md', 'Assign the host of the base URL');
    assert.match(output, /'id\.keywright\.test'/);
    assert.match(output, /^\{"keys":\[\{/m);
    assert.match(output, HEALTHY);
  });

  test('The operator guide connects the domain of a tenant, whose administrator logs in there', async () => {
    assert.match(
      await follow('proxy.md', "Connect the tenant's domain"),
      /^\{"id":"user:\w+","tenant_id":"org_acme"/m,
    );
    const { iss } = claimsOf(await valueOf('TENANT_TOKEN'));
    assert.equal(iss, `https://${BASE_HOST}/t/org_acme`);
  });

  test('The operator guide rotates a signing key, and immediately in an emergency', async () => {
    await prepare(
      'keys.md',
      'INSTALL_DIR SETTINGS LOGS TENANT_HOST ADMIN ADMIN_SECRET TENANT_SECRET',
    );
    await shell.run(STOP_AT_ONCE);
    const old = await valueOf('TENANT_TOKEN');
    assert.equal(await statusOfMe(old, 'org_acme'), 200);
    assert.match(
      await follow('keys.md', 'Rotate a signing key'),
      /becomes the signing key at \d{4}-[^]*is now the signing key\.[^]*"tenant_id":"org_acme"/,
    );
    assert.equal(await statusOfMe(old, 'org_acme'), 401, 'what the old key signed');
  });

  test('The operator guide rotates the master key', async () => {
    const output = await follow('keys.md', 'Rotate the master key');
    assert.match(output, /; rewrapped 2 data keys\./);
    assert.match(output, HEALTHY);
    assert.match(await readFile(settings, 'utf8'), /^KEYWRIGHT_MASTER_KEY=\S+\n(?!.*_PREVIOUS)/m);
    assert.equal(await statusOfMe(await valueOf('TENANT_TOKEN'), 'org_acme'), 200);
  });

  test('The operator guide makes a backup, and restores an installation that accepts no earlier token', async (context) => {
    if (binaries === undefined) {
      context.diagnostic(
        'PostgreSQL’s client programs are not on this machine: nothing was dumped',
      );
      return;
    }
    await prepare(
      'backup.md',
      'INSTALL_DIR SETTINGS LOGS RESTORED_PORT TENANT_HOST TENANT_SECRET BACKUP_URL RESTORED_URL BACKUP',
    );
    await shell.run(STOP_AT_ONCE);
    await follow('backup.md', 'Back up');
    const output = await follow('backup.md', 'Restore');
    assert.match(output, /^Signing keys retired: \d+\. Sessions ended: \d+\./m);
    assert.equal(output.match(/"code":"TOKEN_INVALID"/g)?.length, 2);
    assert.match(output, /^user:\w+$/m);
    assert.match(output, HEALTHY);
  });

  test('The operator guide adds a second node, which serves after the first one is removed', async () => {
    await prepare(
      'upgrade.md',
      'INSTALL_DIR SETTINGS LOGS SECOND_PORT BASE_URL ADMIN ADMIN_SECRET',
    );
    const output = await follow('upgrade.md', 'Add a node');
    assert.equal(output.match(/"roles":\["system_admin"\]/g)?.length, 2);
    assert.match(output, /^ended with 0$/m);
    await shell.run(STOP_AT_ONCE);
  });

  test('The operator guide upgrades the installation', async () => {
    const output = await follow('upgrade.md', 'Upgrade');
    assert.match(output, /^Nothing to do: all \d+ migrations are already applied\.$/m);
    assert.match(output, HEALTHY);
  });

  test('The systemd unit of the operator guide starts and stops the service', async () => {
    const unit = blocksOf('operating.md').find(({ language }) => language === 'ini')?.text ?? '';
    const all = (name: string) =>
      [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) =>
        value.replaceAll('/srv/keywright', ROOT.replace(/\/$/, '')),
      );
    assert.deepEqual(all('EnvironmentFile'), ['/etc/keywright/keywright.env']);
    const lines = [...(await readFile(settings, 'utf8')).split('\n'), ...all('Environment')];
    const [command = '', ...args] = all('ExecStart').join().split(' ');
    const service = spawn(command, args, {
      cwd: all('WorkingDirectory').join(),
      env: { ...Object.fromEntries(lines.filter(Boolean).map(splitSetting)), KEYWRIGHT_PORT: '0' },
    });
    let output = '';
    service.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    service.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(service, 'close');
    await until(
      'it listens or ends',
      () => /"msg":"listening"/.test(output) || service.exitCode !== null,
      60_000,
    );
    service.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], output);
  });
});

function isSql({ language }: Block): boolean {
  return language === 'sql';
}

function splitSetting(line: string): [name: string, value: string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}
