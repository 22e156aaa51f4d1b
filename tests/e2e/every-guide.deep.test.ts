// Every page with commands is followed by a test. This file pastes the pages for the default tenant that no other test
// follows, block by block in order, each into a shell that ends when a command fails. Commands that cannot run here are
// compared with the command line.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createDatabase, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/postgres.ts';
import { type ServerProcess, startServerProcess } from '../harness/process.ts';
import { parseCommandLine } from '../../cli/src/parse.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The pages that can have commands, relative to docs/. */
const PAGES = ['{concepts,frameworks,guide,migrate,start,tutorials}/*.md', 'troubleshooting.md'];

/** The test that follows all pages of a folder, and that fails if it misses one. */
const FOLLOWED_FOLDERS: Readonly<Record<string, string>> = {
  '../frameworks/': '../clients/framework-pages.clients.ts',
  '../migrate/': 'migrate-guide.deep.test.ts',
};

/** The test that follows a page. Names of pages are relative to the folder of the guides. */
const FOLLOWED: Readonly<Record<string, string>> = {
  '../start/quickstart.md': 'readme.test.ts',
  '../tutorials/first-customer.md': 'first-customer.deep.test.ts',
  '../tutorials/protect-an-api.md': 'protect-an-api.deep.test.ts',
  'add-login.md': 'login-guides.deep.test.ts',
  'agents-and-api-keys.md': 'machine-guides.deep.test.ts',
  'backup.md': 'operators-guide.deep.test.ts',
  'bounces.md': 'mail-guides.deep.test.ts',
  'branding.md': 'branding-guide.deep.test.ts',
  'change-identifiers.md': 'mail-guides.deep.test.ts',
  'delegation.md': 'machine-guides.deep.test.ts',
  'devices.md': 'devices-guide.deep.test.ts',
  'fapi.md': 'fapi-guide.deep.test.ts',
  'identity-assertions.md': 'identity-assertions-guide.deep.test.ts',
  'introspection.md': 'machine-guides.deep.test.ts',
  'invite-people.md': 'invite-people-guide.deep.test.ts',
  'key-pairs.md': 'machine-guides.deep.test.ts',
  'keys.md': 'operators-guide.deep.test.ts',
  'languages-and-texts.md': 'languages-guide.deep.test.ts',
  'let-others-register.md': 'registration-guide.deep.test.ts',
  'log-in-with-google.md': 'log-in-with-google-guide.deep.test.ts',
  'log-out.md': 'log-out-guide.test.ts',
  'magic-links.md': 'mail-guides.deep.test.ts',
  'mail-texts.md': 'mail-guides.deep.test.ts',
  'mail.md': 'mail-guides.deep.test.ts',
  'operating.md': 'operators-guide.deep.test.ts',
  'postgresql.md': 'postgresql-guide.deep.test.ts',
  'protect-a-service.md': 'protect-a-service.test.ts',
  'protect-an-mcp-server.md': 'mcp-guide.deep.test.ts',
  'proxy.md': 'operators-guide.deep.test.ts',
  'resources.md': 'machine-guides.deep.test.ts',
  'sdk.md': '../../sdk/test/packed.ts',
  'second-factors.md': 'second-factors-guide.deep.test.ts',
  'shared-signals.md': 'shared-signals-guide.deep.test.ts',
  'sms.md': 'sms-guide.deep.test.ts',
  'token-exchange.md': 'token-exchange-guide.deep.test.ts',
  'upgrade.md': 'operators-guide.deep.test.ts',
  'webhooks.md': 'webhooks-guide.deep.test.ts',
  'workload-identity.md': 'machine-guides.deep.test.ts',
};

/** Blocks that cannot run here, by a part of their text. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm run package': 'package.deep.test.ts packs, installs and starts the package in a minute',
  'docker build': 'needs a container engine; the workflow `image` builds and starts the image',
  'docker stop': 'needs a container engine; package.deep.test.ts runs the content of the image',
  'docker compose': 'needs a container engine; the workflow `image` starts the services',
  'completion zsh': 'needs zsh; completion.test.ts checks the script',
  'master-key rotate':
    'would replace the key that the other pages use; operators-guide.deep.test.ts rotates one',
  'audit verify --tenant org_acme --checkpoints': 'needs files that the page audit.md creates',
  'gitea admin': 'needs Gitea',
  'psql "host=':
    'needs libpq-oauth and a validator; devices-guide.deep.test.ts logs in as psql does',
};

const pages = globSync(PAGES, { cwd: join(ROOT, 'docs') })
  .map((path) => relative('guide', path))
  .filter((page) => commandsOf(page).length > 0)
  .toSorted();
/** Pages whose own tests use another tenant. The last one changes the rules for all clients of the tenant. */
const FOR_DEFAULT_TENANT = [
  'branding.md',
  'languages-and-texts.md',
  'let-others-register.md',
  'log-out.md',
  'shared-signals.md',
  'fapi.md',
];
const pastedHere = [...pages.filter((page) => !isFollowed(page)), ...FOR_DEFAULT_TENANT];

function isFollowed(page: string): boolean {
  const isInFolder = (folder: string) => page.startsWith(folder);
  return page in FOLLOWED || Object.keys(FOLLOWED_FOLDERS).some(isInFolder);
}

function commandsOf(page: string): string[] {
  return blocksOf(page)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text);
}

test('Every page that another test follows exists, and its test names it', () => {
  for (const page of Object.keys(FOLLOWED)) {
    assert.ok(pages.includes(page), `${page} has commands`);
  }
  for (const [folder, file] of Object.entries(FOLLOWED_FOLDERS)) {
    const path = join(import.meta.dirname, file);
    assert.ok(existsSync(path) && pages.some((page) => page.startsWith(folder)), folder);
  }
  for (const [page, file] of Object.entries(FOLLOWED)) {
    const path = join(import.meta.dirname, file);
    assert.ok(existsSync(path) && readFileSync(path, 'utf8').includes(`'${page}'`), page);
  }
});

test('The sections "Before you start" of all pages have the same commands', () => {
  const [tenant, others] = [commandsOf('branding.md'), commandsOf('tenants.md')];
  const variants = [tenant, others].map((commands) => commands.slice(0, 2));
  for (const page of pages) {
    const commands = commandsOf(page);
    const at = commands.findIndex((text) => /^IDENTIFIER=/m.test(text));
    if (at === -1) continue;
    const [choices, login] = commands.slice(at);
    assert.ok(
      variants.some(([values, command]) => choices === values && login === command),
      `${page}: ${choices}${login}`,
    );
  }
});

test('The commands of all pages name the service by $KEYWRIGHT only', () => {
  for (const page of pages.filter((file) => file !== 'operating.md')) {
    for (const text of commandsOf(page)) {
      assert.ok(
        !text.replace('KEYWRIGHT=http://localhost:8080', '').includes('localhost:8080'),
        page,
      );
    }
  }
});

test('Each block that cannot run here is on one page, and its commands of Keywright exist with their options', () => {
  const texts = Object.entries(NOT_RUN).map(([mark, reason]) => {
    const blocks = pastedHere.flatMap(commandsOf).filter((text) => text.includes(mark));
    assert.equal(blocks.length, 1, `${mark}: ${reason}`);
    return (blocks[0] ?? '').replaceAll('\\\n', '');
  });
  const commands = texts
    .join('\n')
    .matchAll(/(?:npx|keywright|\$\()[ ]?keywright ([a-z].*?)(?=\)"$|$)/gm);
  const parsed = [...commands].map(([, args = '']) => parseCommandLine(args.split(' ')));
  const names = parsed.map((each) => (each.kind === 'command' ? each.command.name : each.kind));
  assert.deepEqual(names, [
    'serve',
    'doctor',
    'admin create',
    'completion zsh',
    'master-key rotate',
    'audit verify',
    'audit verify',
  ]);
});

test('The guide to containers sets the variables that compose.yaml requires, and names its services', () => {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const text = commandsOf('containers.md').join('');
  const required = [...compose.matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name);
  const set = [...text.matchAll(/^echo "(\w+)=.*>> \.env$/gm)].map(([, name]) => name);
  assert.deepEqual(new Set(set), new Set(required));
  for (const [, service] of text.matchAll(/docker compose exec (\w+)/g)) {
    assert.match(compose, new RegExp(`^  ${service}:$`, 'm'));
  }
});

describe('pasted into a shell', () => {
  /** A curl that ends the shell on a status of 400 or above, and ends event streams after three seconds. */
  const STRICT = `
    curl() {
      case "$1" in
        -sN) command curl --fail-with-body --max-time 3 "$@" || test $? -eq 28 ;;
        *) command curl \${STRICT:+--fail-with-body} "$@" ;;
      esac
    }
    STRICT=yes
  `;
  /** Commands that fail, as the guide announces, or that need a terminal. */
  const CHANGED: readonly { readonly mark: string; readonly run: (text: string) => string }[] = [
    // Every response except the last has the status 400.
    { mark: 'login_hint=$LOGIN_HINT', run: (text) => `STRICT=\n${text}\nSTRICT=yes` },
    // The command exits with 3.
    { mark: 'tampered.jsonl', run: (text) => `set +e\n${text}\ntest $? -eq 3 || exit\nset -e` },
    { mark: 'npx keywright login', run: withPasswords },
  ];
  const [IDENTIFIER, SECRET] = ['root@example.com', randomBytes(15).toString('base64url')];
  let database: TestDatabase;
  let server: ServerProcess;
  /** For the commands that need the database. */
  let installation: Readonly<Record<string, string>>;
  let values: Readonly<Record<string, string>>;
  let metricsPort: number;

  /** Answers the prompts for passwords. */
  function withPasswords(text: string): string {
    return text
      .replace(
        / login .*/,
        ` login --url $KEYWRIGHT --identifier ${IDENTIFIER} --secret-stdin <<< ${SECRET}`,
      )
      .replace(/ user create .*/, `$& --password-stdin <<< ${SECRET}`);
  }

  before(async () => {
    database = await createDatabase();
    installation = {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    const administrator = {
      KEYWRIGHT_ADMIN_IDENTIFIER: IDENTIFIER,
      KEYWRIGHT_ADMIN_SECRET: SECRET,
    };
    server = await startServerProcess({ env: { ...installation, ...administrator } });
    metricsPort = await freePort();
    values = { KEYWRIGHT: `http://localhost:${new URL(server.url).port}`, IDENTIFIER, SECRET };
  });
  after(async () => {
    await server.kill9();
    await database.drop();
  });

  for (const page of pastedHere) {
    test(`The commands of ${page} that can run here succeed when they are pasted into a shell in order`, async (t) => {
      const guide = await GuideShell.open(page);
      t.after(() => guide.close());
      await guide.set(installation);
      await guide.run(`export ${Object.keys(installation).join(' ')}\n${STRICT}`);
      await guide.replaceStart();
      const left = guide.left.filter(
        (text) => !Object.keys(NOT_RUN).some((mark) => text.includes(mark)),
      );
      for (const text of left) {
        const { run = (same: string) => same } =
          CHANGED.find(({ mark }) => text.includes(mark)) ?? {};
        await guide.run(run(chosen(text)));
      }
    });
  }

  /** The same commands, with the addresses and credentials of this service. */
  function chosen(text: string): string {
    return text
      .replaceAll('9464', String(metricsPort))
      .replaceAll(
        /^(\w+)=(?:http:\/\/localhost:8080|\w+@keywright\.localhost|'the password.*')$/gm,
        (line, name: string) => (values[name] === undefined ? line : `${name}='${values[name]}'`),
      );
  }
});
