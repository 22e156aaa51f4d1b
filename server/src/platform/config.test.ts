import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { mailForAll } from './development.ts';
import { Environment } from './environment.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

function violationsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.violations;
  }
  return [];
}

describe('the settings', () => {
  test('All settings have a default, none of which is open to the network', () => {
    const { trustedProxies, egressAllow, ...others } = readConfig({});
    assert.deepEqual(others, {
      host: '127.0.0.1',
      port: 8080,
      baseUrl: undefined,
      docsUrl: undefined,
      databaseUrl: undefined,
      statementTimeoutMs: 5000,
      dataDir: '.keywright',
      masterKeys: [],
      admin: undefined,
      demoProvider: undefined,
      logLevel: 'info',
      mail: undefined,
      breachedPasswords: { url: 'https://api.pwnedpasswords.com', file: undefined },
      maxConnections: 10_000,
      statusStreams: { total: 4000, perAddress: 1000 },
      metricsPort: undefined,
      workers: 1,
      production: false,
    });
    assert.deepEqual(trustedProxies.rules, []);
    assert.deepEqual([...egressAllow.hosts, ...egressAllow.ranges.rules], []);
  });

  test('Emails are shown only on a developer’s machine without a mail server', () => {
    const mail = {
      KEYWRIGHT_SMTP_URL: 'smtp://mail.example.com',
      KEYWRIGHT_MAIL_FROM: 'no-reply@example.com',
    };
    const deliveryOf = (environment: Record<string, string>) => mailForAll(readConfig(environment));
    assert.equal(deliveryOf({}), 'development');
    assert.equal(deliveryOf({ NODE_ENV: 'production' }), 'none');
    assert.equal(deliveryOf({ KEYWRIGHT_BASE_URL: 'https://id.example.com' }), 'none');
    assert.equal(deliveryOf(mail), 'installation');
    assert.equal(deliveryOf({ ...mail, NODE_ENV: 'production' }), 'installation');
  });

  test('The settings are read from the environment', () => {
    const { trustedProxies, egressAllow, ...others } = readConfig({
      KEYWRIGHT_HOST: '0.0.0.0',
      KEYWRIGHT_PORT: '9000',
      KEYWRIGHT_BASE_URL: 'https://id.example.com/auth',
      KEYWRIGHT_DOCS_URL: 'https://docs.example.com/keywright',
      KEYWRIGHT_DATABASE_URL: 'postgresql://localhost/keywright',
      KEYWRIGHT_STATEMENT_TIMEOUT_MS: '750',
      KEYWRIGHT_DATA_DIR: '/var/lib/keywright',
      KEYWRIGHT_MASTER_KEY: MASTER_KEY,
      KEYWRIGHT_ADMIN_IDENTIFIER: '+4915112345678',
      KEYWRIGHT_ADMIN_SECRET: 'twelve chars',
      KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1 ,2001:db8::/32,::1,',
      KEYWRIGHT_EGRESS_ALLOW: ' Hooks.internal,localhost:9000 ,10.2.0.0/16, fd00::7,',
      KEYWRIGHT_DEMO_PROVIDER: 'http://localhost:9090',
      KEYWRIGHT_SMTP_URL: 'smtps://mail:p%40ss@mail.example.com',
      KEYWRIGHT_MAIL_FROM: 'no-reply@example.com',
      KEYWRIGHT_BREACHED_PASSWORDS_URL: 'https://hibp.internal/mirror',
      KEYWRIGHT_BREACHED_PASSWORDS_FILE: '/srv/breached.bin',
      KEYWRIGHT_LOG_LEVEL: 'silent',
      KEYWRIGHT_WORKERS: '3',
      KEYWRIGHT_METRICS_PORT: '9464',
      KEYWRIGHT_MAX_CONNECTIONS: '700',
      KEYWRIGHT_STATUS_STREAMS: '500',
      KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: '20',
      NODE_ENV: 'production',
      PATH: '/bin',
    });
    assert.deepEqual(others, {
      host: '0.0.0.0',
      port: 9000,
      baseUrl: 'https://id.example.com/auth',
      docsUrl: 'https://docs.example.com/keywright',
      databaseUrl: 'postgresql://localhost/keywright',
      statementTimeoutMs: 750,
      dataDir: '/var/lib/keywright',
      masterKeys: [Buffer.alloc(32, 7)],
      admin: { identifier: '+4915112345678', secret: 'twelve chars' },
      demoProvider: undefined,
      mail: {
        server: {
          host: 'mail.example.com',
          port: 465,
          security: 'tls',
          username: 'mail',
          password: 'p@ss',
          isOperators: true,
        },
        from: 'no-reply@example.com',
      },
      breachedPasswords: { url: 'https://hibp.internal/mirror', file: '/srv/breached.bin' },
      logLevel: 'silent',
      maxConnections: 700,
      statusStreams: { total: 500, perAddress: 20 },
      metricsPort: 9464,
      workers: 3,
      production: true,
    });
    const trusted = ['10.255.0.1', '192.0.2.1', '2001:db8:ffff::1', '::1'];
    const strangers = ['11.0.0.1', '192.0.2.2', '2001:db9::1', '::2'];
    const isTrusted = (address: string) =>
      trustedProxies.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
    assert.deepEqual(trusted.filter(isTrusted), trusted);
    assert.deepEqual(strangers.filter(isTrusted), []);
    assert.deepEqual([...egressAllow.hosts], ['hooks.internal', 'localhost:9000']);
    assert.equal(egressAllow.ranges.rules.length, 2);
  });

  test('A demo provider is offered if it is on this machine, and never in production', () => {
    const env = { KEYWRIGHT_DEMO_PROVIDER: 'http://localhost:9090' };
    assert.equal(readConfig(env).demoProvider, 'http://localhost:9090');
    assert.equal(readConfig({ ...env, NODE_ENV: 'production' }).demoProvider, undefined);
  });

  test('KEYWRIGHT_WORKERS=auto starts one process if only one is possible, and otherwise one per core', () => {
    const server = {
      KEYWRIGHT_DATABASE_URL: 'postgres://localhost/keywright',
      KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    };
    assert.equal(readConfig({ KEYWRIGHT_WORKERS: 'auto' }).workers, 1);
    const { workers } = readConfig({ ...server, KEYWRIGHT_WORKERS: 'auto' });
    assert.equal(workers, availableParallelism());
  });
});

function withDatabase(url: string): Record<string, string> {
  return { KEYWRIGHT_DATABASE_URL: url, KEYWRIGHT_MASTER_KEY: MASTER_KEY };
}

describe('an invalid environment', () => {
  test('An invalid environment is rejected with all errors in one message', () => {
    const environment = {
      KEYWRIGHT_HOST: '',
      KEYWRIGHT_PORT: 'http',
      KEYWRIGHT_BASE_URL: 'id.example.com',
      KEYWRIGHT_DATABASE_URL: 'mysql://localhost/keywright',
      KEYWRIGHT_DATA_DIR: '',
      KEYWRIGHT_ADMIN_IDENTIFIER: 'root',
      KEYWRIGHT_ADMIN_SECRET: 'short',
      KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/33,proxy.example.com',
      KEYWRIGHT_EGRESS_ALLOW: '*.example.com,[::1]:x',
      KEYWRIGHT_LOG_LEVEL: 'loud',
      KEYWRIGHT_WORKERS: '0',
      KEYWRIGHT_KEYS: 'x',
    };
    const violations = violationsOf(environment);
    const named = violations.map((violation) => violation.split(/[ :]/, 1).join());
    assert.deepEqual(
      named.toSorted(),
      [
        ...Object.keys(environment),
        'KEYWRIGHT_MASTER_KEY',
        'KEYWRIGHT_TRUSTED_PROXIES',
        'KEYWRIGHT_EGRESS_ALLOW',
      ].toSorted(),
    );
    const { message } = new ConfigError(violations);
    for (const violation of violations) assert.ok(message.includes(`\n  - ${violation}`));
  });

  test('The environment variables of remote commands do not stop the service', () => {
    const names = ['URL', 'TENANT', 'PROFILE', 'TOKEN', 'API_KEY'];
    const environment = Object.fromEntries(names.map((name) => [`KEYWRIGHT_${name}`, 'x']));
    assert.deepEqual(violationsOf(environment), []);
  });

  const refused: readonly (readonly [environment: Record<string, string>, message: RegExp])[] = [
    [{ KEYWRIGHT_MASTERKEY: MASTER_KEY }, /^KEYWRIGHT_MASTERKEY is not a setting of Keywright/],
    [{ KEYWRIGHT_KEYS: '' }, /^KEYWRIGHT_KEYS is not a setting of Keywright/],
    [{ KEYWRIGHT_BASEURL: 'x' }, /^KEYWRIGHT_BASEURL is .* Did you mean "KEYWRIGHT_BASE_URL"\?/],
    [
      { KEYWRIGHT_PORT: '65536' },
      /^KEYWRIGHT_PORT: expected a port number up to 65535, such as 8080/,
    ],
    [{ KEYWRIGHT_PORT: '-1' }, /^KEYWRIGHT_PORT: expected a port number/],
    [{ KEYWRIGHT_PORT: '80 ' }, /^KEYWRIGHT_PORT: expected /],
    [{ KEYWRIGHT_BASE_URL: 'https://id.example.com/' }, /^KEYWRIGHT_BASE_URL: expected /],
    [{ KEYWRIGHT_BASE_URL: 'https://id.example.com/?a' }, /^KEYWRIGHT_BASE_URL: expected /],
    [{ KEYWRIGHT_BASE_URL: 'https://id example.com' }, /^KEYWRIGHT_BASE_URL: expected /],
    [{ KEYWRIGHT_BASE_URL: 'https://[::1' }, /^KEYWRIGHT_BASE_URL: expected /],
    [{ KEYWRIGHT_DOCS_URL: 'https://docs.example.com/' }, /^KEYWRIGHT_DOCS_URL: expected a URL /],
    [{ KEYWRIGHT_DOCS_URL: 'https://docs.example.com/a b' }, /^KEYWRIGHT_DOCS_URL: expected /],
    [{ KEYWRIGHT_DOCS_URL: 'https://docs.example.com/"' }, /^KEYWRIGHT_DOCS_URL: expected /],
    [{ KEYWRIGHT_DOCS_URL: 'https://docs.example.com/ä' }, /^KEYWRIGHT_DOCS_URL: expected /],
    [
      { KEYWRIGHT_DOCS_URL: 'https://docs.example.com/\u{1b}[31m' },
      /^KEYWRIGHT_DOCS_URL: expected /,
    ],
    [{ KEYWRIGHT_DOCS_URL: 'https://docs.example.com/?a' }, /^KEYWRIGHT_DOCS_URL: expected /],
    [{ KEYWRIGHT_DOCS_URL: 'javascript:alert(1)' }, /^KEYWRIGHT_DOCS_URL: expected /],
    [{ KEYWRIGHT_BASE_URL: 'ftp://id.example.com' }, /^KEYWRIGHT_BASE_URL: expected /],
    [{ KEYWRIGHT_MASTER_KEY: MASTER_KEY.slice(4) }, /^KEYWRIGHT_MASTER_KEY: expected /],
    [{ KEYWRIGHT_DEMO_PROVIDER: 'https://id.example.com' }, /^KEYWRIGHT_DEMO_PROVIDER: expected /],
    [{ KEYWRIGHT_MASTER_KEY: 'secret' }, /^KEYWRIGHT_MASTER_KEY: expected /],
    [
      { KEYWRIGHT_WORKERS: '2' },
      /^KEYWRIGHT_WORKERS is above 1, which requires a PostgreSQL server/,
    ],
    [{ KEYWRIGHT_WORKERS: 'all' }, /^KEYWRIGHT_WORKERS: expected /],
    [{ KEYWRIGHT_DATA_DIR: '' }, /^KEYWRIGHT_DATA_DIR: expected /],
    [
      { KEYWRIGHT_DATABASE_URL: 'postgres://localhost/keywright' },
      /^KEYWRIGHT_MASTER_KEY is missing: .*openssl rand -base64 32$/,
    ],
    [
      withDatabase('postgres://one,two/keywright'),
      /^KEYWRIGHT_DATABASE_URL contains several hosts/,
    ],
    [
      withDatabase('postgres://a:b@one:1,two:2/k'),
      /^KEYWRIGHT_DATABASE_URL contains several hosts/,
    ],
    [withDatabase('postgres:///k?host=one,two'), /^KEYWRIGHT_DATABASE_URL contains several hosts/],
    [withDatabase('postgres:///k?host=one&host=two'), /^KEYWRIGHT_DATABASE_URL contains several/],
    [
      withDatabase('postgres://h/k?target_session_attrs=any'),
      /contains target_session_attrs, which/,
    ],
    [withDatabase('postgres://a:p#w@host/k'), /^KEYWRIGHT_DATABASE_URL: expected a URL such as/],
    [{ KEYWRIGHT_STATEMENT_TIMEOUT_MS: '99' }, /^KEYWRIGHT_STATEMENT_TIMEOUT_MS: expected /],
    [{ KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com' }, /belong together: set both, or neither/],
    [{ KEYWRIGHT_ADMIN_SECRET: 'twelve chars' }, /belong together: set both, or neither/],
    [
      { KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com', KEYWRIGHT_ADMIN_SECRET: 'eleven char' },
      /^KEYWRIGHT_ADMIN_SECRET: expected a password of at least 12 characters/,
    ],
    [
      { KEYWRIGHT_ADMIN_IDENTIFIER: 'root', KEYWRIGHT_ADMIN_SECRET: 'twelve chars' },
      /^KEYWRIGHT_ADMIN_IDENTIFIER: expected an email address or a phone number/,
    ],
    [
      { KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/-1' },
      /^KEYWRIGHT_TRUSTED_PROXIES: .* Got "10.0.0.0\/-1"\.$/,
    ],
    [{ KEYWRIGHT_TRUSTED_PROXIES: '2001:db8::/129' }, /^KEYWRIGHT_TRUSTED_PROXIES: .* Got /],
    [{ KEYWRIGHT_TRUSTED_PROXIES: '*' }, /^KEYWRIGHT_TRUSTED_PROXIES: .* Got "\*"\.$/],
    [{ KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/8/8' }, /^KEYWRIGHT_TRUSTED_PROXIES: .* Got /],
    [{ KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/' }, /^KEYWRIGHT_TRUSTED_PROXIES: .* Got /],
    [{ KEYWRIGHT_EGRESS_ALLOW: '*' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '*.example.com' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '10.0.0.0/33' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1:0' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1/8:80' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '[127.0.0.1]:80' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '[::1]' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '[::1]:65536' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '0x7f.1' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'host:0' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'host:65536' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'host:80:80' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'http://host' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'host/path' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: '2130706433' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
    [{ KEYWRIGHT_EGRESS_ALLOW: 'hösts.example.com' }, /^KEYWRIGHT_EGRESS_ALLOW: .* Got "/],
  ];
  for (const [environment, message] of refused) {
    test(`An environment with ${JSON.stringify(environment)} is rejected`, () => {
      const [violation, ...others] = violationsOf(environment);
      assert.match(violation ?? '', message);
      assert.deepEqual(others, []);
    });
  }

  test('An environment in which every setting is wrong is rejected with every error', () => {
    const names = Object.keys(Environment.properties).filter((name) => name !== 'NODE_ENV');
    const allEmpty = Object.fromEntries(names.map((name) => [name, '']));
    const unchecked = ['KEYWRIGHT_TRUSTED_PROXIES', 'KEYWRIGHT_EGRESS_ALLOW'];
    const violations = violationsOf(allEmpty);
    assert.deepEqual(
      names.filter((name) => !violations.some((violation) => violation.startsWith(`${name}:`))),
      unchecked,
      'an empty list is none',
    );
  });

  test('An invalid setting is explained by the expected format and an example, in words, and never by the value', () => {
    const wrong = '\u0000 hunter2';
    const isChecked = (name: string) =>
      ![
        'NODE_ENV',
        'KEYWRIGHT_HOST',
        'KEYWRIGHT_DATA_DIR',
        'KEYWRIGHT_BREACHED_PASSWORDS_FILE',
      ].includes(name);
    for (const name of Object.keys(Environment.properties).filter((key) => key !== 'NODE_ENV')) {
      // Any nonempty text is a valid host or folder name at this stage.
      const violations = violationsOf({ [name]: isChecked(name) ? wrong : '' });
      const reported =
        violations.find((violation) => violation.startsWith(`${name}: expected `)) ?? name;
      // The error of a list names the invalid entry.
      const [said = ''] = reported.split(' Got ');
      assert.match(said, /such as \S|with: openssl rand|one of trace, debug/);
      assert.doesNotMatch(said, /pattern|\^|\\|minLength|\bform\b/);
      const isList = /PROXIES|EGRESS/.test(name);
      if (!isList) assert.doesNotMatch(violations.join(), /hunter2/);
    }
  });

  test('The errors of an invalid environment never show the value of a secret', () => {
    const violations = violationsOf({
      KEYWRIGHT_MASTER_KEY: 'a-master-key-of-the-wrong-form',
      KEYWRIGHT_ADMIN_IDENTIFIER: 'root@example.com',
      KEYWRIGHT_ADMIN_SECRET: 'tooshort',
      KEYWRIGHT_DATABASE_URL: 'mysql://keywright:hunter22@localhost',
    });
    assert.equal(violations.length, 3);
    assert.doesNotMatch(violations.join(), /a-master-key|tooshort|hunter22/);
  });
});
