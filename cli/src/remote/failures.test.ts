import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import { Authority } from '@keywright/tests/harness/certificate';
import { runCommand, runProgram } from '@keywright/tests/harness/command-line';
import { temporaryDirectory } from '@keywright/tests/harness/temporary';
import { promptSecret } from '../secret-input.ts';

const TOKEN = 'a-token-that-must-remain-secret';
/** Control sequences and bidirectional controls: ESC, C1 CSI, BEL, an override, a line separator. */
const HOSTILE = '\u001B]0;title\u0007\u009B31m\r\n\u202Egpj.exe\u2028';
const ACTIVE = /[^\n\P{Cc}]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const open = new Set<TcpServer>();
after(() => {
  for (const server of open) {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections();
    server.close();
  }
});

async function listen(server: TcpServer): Promise<number> {
  open.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function serve(handle: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(handle))}`;
}

function as(url: string) {
  return { KEYWRIGHT_URL: url, KEYWRIGHT_TOKEN: TOKEN };
}

function answerJson(status: number, body: unknown): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

describe('server output is not passed to the terminal unchanged', () => {
  const record = {
    id: `user:${HOSTILE}`,
    [HOSTILE]: HOSTILE,
    identifiers: [{ identifier: HOSTILE }],
  };
  const answers: readonly (readonly [
    what: string,
    status: number,
    body: unknown,
    args: string[],
  ])[] = [
    ['in a record', 200, record, ['user', 'show', 'user:1']],
    [
      'in a list',
      200,
      { items: [record], meta: { next_cursor: HOSTILE } },
      ['user', 'list', '--limit=1'],
    ],
    ['in a deletion', 200, { ...record, deleted: true }, ['user', 'delete', 'user:1']],
    [
      'in an error',
      400,
      {
        code: HOSTILE,
        detail: HOSTILE,
        doc: HOSTILE,
        errors: [{ path: HOSTILE, message: HOSTILE }],
      },
      ['whoami'],
    ],
    [
      'in an event',
      200,
      {
        items: [{ id: 'evt_1', type: HOSTILE, data: { [HOSTILE]: HOSTILE } }],
        meta: { has_more: false },
      },
      ['event', 'tail', '--count=1'],
    ],
  ];
  for (const [what, status, body, args] of answers) {
    test(what, async () => {
      const env = as(await serve(answerJson(status, body)));
      for (const form of [[], ['--json']]) {
        const { stdout, stderr } = await runCommand([...args, ...form], { env });
        assert.doesNotMatch(stdout + stderr, ACTIVE);
        assert.ok((stdout + stderr).includes('gpj.exe'));
      }
    });
  }

  test('The JSON output keeps the values of unsafe server output unchanged', async () => {
    const env = as(await serve(answerJson(200, record)));
    const { answer } = await runCommand(['user', 'show', 'user:1', '--json'], { env });
    assert.deepEqual(answer.result, record);
  });
});

describe('a misbehaving service is reported in one line', () => {
  test('A redirect by the service is not followed, and the credential goes nowhere else', async () => {
    const seen: string[] = [];
    const elsewhere = await serve((request, response) => {
      seen.push(request.headers.authorization ?? 'none');
      response.end();
    });
    const env = as(
      await serve((_, response) => response.writeHead(307, { location: elsewhere }).end()),
    );
    const { code, stdout, stderr } = await runCommand(['user', 'list'], { env });
    assert.deepEqual([code, stdout, seen], [1, '', []]);
    assert.match(
      stderr,
      /^keywright: http:\S+ responded with a redirect \(307\), which is not followed because the request contains a credential\. .*\n$/,
    );
  });

  test('A service that is not Keywright is reported in one line', async () => {
    const pages: readonly RequestListener[] = [
      (_, response) =>
        response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'),
      (_, response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":'),
      answerJson(200, {}),
      answerJson(200, null),
      answerJson(200, 'items'),
    ];
    for (const page of pages) {
      const { code, stderr, answer } = await runCommand(['user', 'list', '--json'], {
        env: as(await serve(page)),
      });
      assert.deepEqual([code, stderr, answer.code], [1, '', 'UNEXPECTED_ANSWER']);
      assert.match(answer.message, /Is the URL correct\?$/);
    }
  });

  test('A response of the service that never ends is not read forever', async () => {
    const chunk = ' '.repeat(1024 * 1024);
    let sent = 0;
    const env = as(
      await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const more = () => {
          while (!response.destroyed && response.write(chunk)) sent += 1;
        };
        response.on('drain', more);
        more();
      }),
    );
    const { answer } = await runCommand(['whoami', '--json'], { env });
    assert.equal(answer.code, 'UNEXPECTED_ANSWER');
    assert.ok(sent < 1000, String(sent));
  });

  test('A command to a silent service fails after the timeout, with code 4', async () => {
    const port = await listen(createTcpServer(() => undefined));
    const env = as(`http://127.0.0.1:${port}`);
    const { code, stdout, stderr } = await runProgram(['user', 'list', '--timeout=1'], { env });
    assert.deepEqual([code, stdout], [4, '']);
    assert.equal(stderr, `keywright: http://127.0.0.1:${port} did not respond within 1 second.\n`);
  });

  test('An unreachable service is reported in one line after the last retry has failed', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    server.close();
    const { code, stderr } = await runProgram(['user', 'list'], {
      env: as(`http://127.0.0.1:${port}`),
    });
    assert.equal(code, 4);
    assert.equal(
      stderr,
      `keywright: http://127.0.0.1:${port} cannot be reached: connection refused (ECONNREFUSED).\n`,
    );
  });

  test('A service with an untrusted certificate is sent nothing until its authority is configured', async () => {
    const authority = new Authority();
    const { cert, key } = authority.issue(['localhost']);
    let requestCount = 0;
    const server = createTlsServer({ cert, key }, (request, response) => {
      requestCount += 1;
      answerJson(200, { id: 'user:1', tenant_id: 'org_default' })(request, response);
    });
    const env = as(`https://localhost:${await listen(server)}`);
    const { code, stderr } = await runProgram(['whoami'], { env });
    assert.deepEqual([code, requestCount], [4, 0]);
    assert.match(
      stderr,
      /^keywright: https:\S+ cannot be reached: its certificate was rejected \(\w+\): .*NODE_EXTRA_CA_CERTS\.\n$/,
    );
    const file = join(await temporaryDirectory('ca'), 'ca.pem');
    await writeFile(file, authority.ca);
    const trusted = await runProgram(['whoami'], { env: { ...env, NODE_EXTRA_CA_CERTS: file } });
    assert.deepEqual([trusted.code, requestCount], [0, 1], trusted.stderr);
  });
});

describe('a credential is not sent, and not shown', () => {
  const cases: readonly (readonly [
    what: string,
    env: Record<string, string>,
    args: string,
    says: RegExp,
  ])[] = [
    [
      'over http to another machine',
      as('http://id.example.com'),
      'user list',
      /Expected KEYWRIGHT_URL to start with https:\/\//,
    ],
    [
      'to an address with a password',
      as('https://u:hunter2@id.example.com'),
      'user list',
      /without a user, a password/,
    ],
    [
      'to what is no address',
      as('id.example.com'),
      'user list',
      /Expected KEYWRIGHT_URL to be the URL of a service, such as https:/,
    ],
    [
      'to another tenant than the issuer names',
      as('https://id.example.com/t/org_acme'),
      'user list --tenant=org_other --url=https://id.example.com/t/org_acme',
      /another one/,
    ],
    [
      'where a profile names another service',
      as('https://id.example.com'),
      'user list --profile=p --url=https://other.example.com',
      /omit --url/,
    ],
    [
      'where two are set',
      { ...as('https://id.example.com'), KEYWRIGHT_API_KEY: TOKEN },
      'user list',
      /both set: unset one/,
    ],
    [
      'to the service of a profile',
      { KEYWRIGHT_TOKEN: TOKEN },
      'user list',
      /KEYWRIGHT_TOKEN is set, but KEYWRIGHT_URL is not/,
    ],
    [
      'where a profile and a service are set',
      { ...as('https://id.example.com'), KEYWRIGHT_PROFILE: 'p' },
      'user list',
      /both set/,
    ],
    [
      'that no header can carry',
      { KEYWRIGHT_URL: 'https://id.example.com', KEYWRIGHT_TOKEN: `${TOKEN}\nX: 1` },
      'user list',
      /printable ASCII/,
    ],
    [
      'without being there',
      { KEYWRIGHT_URL: 'https://id.example.com' },
      'user list',
      /set KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY/,
    ],
    [
      'for a name that leads out of the folder',
      {},
      'user list --profile=../../etc/passwd',
      /name of a profile/,
    ],
    [
      'as an argument',
      as('https://id.example.com'),
      'login --token=hunter2 --url=https://id.example.com',
      /--token-stdin/,
    ],
    [
      'for an id that leads elsewhere',
      as('https://id.example.com'),
      'user show ..',
      /needs USER_ID\. Usage: keywright user show USER_ID/,
    ],
  ];
  for (const [what, env, line, says] of cases) {
    test(what, async () => {
      const config = await temporaryDirectory('config');
      const { code, stdout, stderr } = await runCommand(line.split(' '), {
        env: { XDG_CONFIG_HOME: config, ...env },
      });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, says);
      assert.match(stderr, /^keywright: [^\n]*\n$/);
      assert.doesNotMatch(stderr, /hunter2|must-remain/);
    });
  }
});

describe('an unsafe or damaged profile is not used', () => {
  const PROFILE = JSON.stringify({
    url: 'http://127.0.0.1:9',
    subject: 'user:1',
    credential: { kind: 'token', token: TOKEN },
  });

  async function withProfile(content: string, modes: readonly [folder: number, file: number]) {
    const config = await temporaryDirectory('config');
    const folder = join(config, 'keywright');
    await mkdir(folder);
    await writeFile(join(folder, 'default.json'), content);
    await chmod(join(folder, 'default.json'), modes[1]);
    await chmod(folder, modes[0]);
    const outcome = await runCommand(['whoami', '--timeout=2'], {
      env: { XDG_CONFIG_HOME: config },
    });
    const { code, stderr } = outcome;
    return { code, stderr, file: join(folder, 'default.json') };
  }

  test('A profile is not used if others can read its file or folder, and the message says how to fix it', async () => {
    for (const modes of [
      [0o700, 0o640],
      [0o700, 0o604],
      [0o750, 0o600],
      [0o701, 0o600],
    ] as const) {
      const { code, stderr } = await withProfile(PROFILE, modes);
      assert.equal(code, 1);
      assert.match(stderr, /is accessible to other users.* Nothing was read\. .*chmod [67]00 '/);
    }
    assert.equal((await withProfile(PROFILE, [0o700, 0o600])).code, 4, 'it was used');
  });

  test('A profile that is damaged or names an address that must not get credentials is not used', async () => {
    for (const content of [
      '',
      '{}',
      '[]',
      'null',
      '{"url": 1}',
      PROFILE.slice(0, -1),
      PROFILE.replace('"token":"', '"key":"'),
    ]) {
      const { code, stderr, file } = await withProfile(content, [0o700, 0o600]);
      assert.equal(code, 1, content);
      assert.match(stderr, /The profile default in .* is damaged\. Sign in again: /);
      assert.equal(await readFile(file, 'utf8'), content);
    }
    const edited = PROFILE.replace('127.0.0.1:9', 'id.example.com');
    const { code, stderr } = await withProfile(edited, [0o700, 0o600]);
    assert.equal(code, 2);
    assert.match(stderr, /to start with https/);
  });
});

describe('a secret entered at the terminal', () => {
  function terminal(typed: string) {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
    input.end(typed);
    return input;
  }

  test('A secret entered at the terminal is read with corrections and without echo', async () => {
    let shown = '';
    const typed = terminal('hunter3\u007F2\r');
    const secret = await promptSecret(
      'Password',
      'secret-stdin',
      typed,
      (text) => void (shown += text),
    );
    assert.deepEqual([secret, shown], ['hunter2', 'Password (input hidden):']);
  });

  test('A secret is not requested without a terminal', async () => {
    const args = ['login', '--url=https://id.example.com', '--identifier=a@example.com'];
    const { code, stderr } = await runCommand(args, { env: { XDG_CONFIG_HOME: '/nowhere' } });
    assert.deepEqual(
      [code, stderr],
      [2, 'keywright: There is no terminal to prompt on: use --secret-stdin.\n'],
    );
    for (const typed of ['\r', '\u0003', '']) {
      const prompted = promptSecret('Password', 'secret-stdin', terminal(typed), () => undefined);
      await assert.rejects(prompted, { message: 'Nothing was entered.' });
    }
  });
});
