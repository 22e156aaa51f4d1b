import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { startKeywright } from '@keywright/server/app';
import { readConfig } from '@keywright/server/platform/config';
import { runCommand } from '@keywright/tests/harness/command-line';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import { type PostgresServer, startPostgres } from '@keywright/tests/harness/postgres';

interface Check {
  readonly name: string;
  readonly state: 'ok' | 'finding' | 'skipped';
  readonly says: string;
  readonly advice?: string;
}

interface Report {
  readonly verdict: string;
  readonly checks: readonly Check[];
}

const CHECKS = [
  'database',
  'migrations',
  'isolation',
  'place',
  'settings',
  'clock',
  'administrator',
  'deletions',
  'master key',
  'signing keys',
  'base URL',
  'proxies',
  'port',
];

// Roles belong to the whole server, and these tests alter them, so no other test can use this server.
let server: PostgresServer;

let healthy: TestDatabase;

before(async () => {
  server = await startPostgres();
  healthy = await makeInstallation();
});

after(() => server.close());

type Environment = Readonly<Record<string, string>>;

const MASTER_KEY = randomBytes(32).toString('base64');

function environmentOf({ url }: TestDatabase): Environment {
  return {
    KEYWRIGHT_DATABASE_URL: url,
    KEYWRIGHT_MASTER_KEY: MASTER_KEY,
    KEYWRIGHT_PORT: '0',
  };
}

/** A database without findings. */
async function makeInstallation(): Promise<TestDatabase> {
  const database = await createDatabase(server);
  const env = environmentOf(database);
  await runCommand(['migrate'], { env });
  await runCommand(['admin', 'create', '--identifier=root@example.com'], { env });
  return database;
}

/** Runs `work` on a copy of that database, then drops it. */
async function inHealthyInstallation(
  work: (database: TestDatabase, env: Environment) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(server, healthy);
  await work(database, environmentOf(database));
  await database.drop();
}

/** Runs `work` while the service runs on that database. */
async function whileServing(env: Environment, work: (port: string) => Promise<void>) {
  const config = readConfig({ ...env, KEYWRIGHT_LOG_LEVEL: 'silent' });
  const service = await startKeywright({ config });
  await work(new URL(service.url).port);
  await service.close();
}

async function examine(env: Environment) {
  const { code, answer } = await runCommand<Report>(['doctor', '--json'], { env });
  assert.equal(answer.ok, true);
  const { verdict, checks } = answer.result;
  const findings = new Map(
    checks.filter((check) => check.state === 'finding').map((check) => [check.name, check]),
  );
  return { code, verdict, checks, findings };
}

/** Requires exactly this finding, with advice. */
async function requireFinding(env: Environment, name: string, says: RegExp): Promise<void> {
  const { code, verdict, findings } = await examine(env);
  assert.deepEqual([code, verdict, [...findings.keys()]], [3, 'findings', [name]]);
  assert.match(findings.get(name)?.says ?? '', says);
  assert.match(findings.get(name)?.advice ?? '', /^\S.*[.;]$/);
}

test('The doctor finds nothing in a healthy installation, and changes nothing', async () => {
  await inHealthyInstallation(async (database, env) => {
    const { code, verdict, checks } = await examine(env);
    assert.deepEqual([code, verdict], [0, 'healthy']);
    assert.deepEqual(
      checks.map((check) => [check.name, check.state]),
      CHECKS.map((name) => [name, 'ok']),
    );
    const { stdout, stderr } = await runCommand(['doctor'], { env });
    assert.equal(stderr, '');
    for (const name of CHECKS) assert.match(stdout, new RegExp(`^ok {7}${name} +\\S`, 'm'));
    assert.match(stdout, /\n\nNo problems found\.\n$/);
    const [changes] = await database.query<{ n: number }>(
      'SELECT count(*)::integer AS n FROM users',
    );
    assert.equal(changes?.n, 1);
  });
});

test('The doctor recognizes the service on the same database by its keys, and detects a different one', async () => {
  await inHealthyInstallation(async (_database, env) => {
    await whileServing(env, async (port) => {
      const { code, checks } = await examine({ ...env, KEYWRIGHT_PORT: port });
      assert.equal(code, 0);
      const says = (name: string) => checks.find((check) => check.name === name)?.says ?? '';
      assert.match(says('base URL'), /, which returns the key set$/);
      assert.match(says('port'), /is served by this service$/);
      const other = await makeInstallation();
      const { findings } = await examine({ ...environmentOf(other), KEYWRIGHT_PORT: port });
      assert.match(findings.get('base URL')?.says ?? '', /keys of another tenant or installation/);
      assert.match(findings.get('port')?.says ?? '', /in use by another program/);
      await other.drop();
    });
  });
});

test('The doctor reports each finding with its remedy, and exits with 3', async () => {
  await inHealthyInstallation(async (database, env) => {
    await database.query('UPDATE users SET is_active = false');
    await database.query(
      `INSERT INTO tenants (tenant_id, name, created_at, deleted_at)
       VALUES ('org_gone', 'Gone', now(), now() - interval '1 hour'),
              ('org_mute', 'Mute', now(), NULL)`,
    );
    const { code, stdout } = await runCommand(['doctor'], {
      env: { ...env, KEYWRIGHT_BASE_URL: 'http://id.example.com' },
    });
    assert.equal(code, 3);
    const finding = (name: string, says: string) =>
      assert.match(stdout, new RegExp(`^FINDING  ${name} +${says}.*\\n +→ \\S.*$`, 'm'));
    finding('administrator', 'there is no active system administrator');
    finding('deletions', 'interrupted: org_gone');
    finding('master key', 'these tenants have no data key: org_mute');
    finding('signing keys', 'these tenants have no signing key: org_mute');
    finding('base URL', 'http://id\\.example\\.com is not https');
    assert.match(stdout, /\n\n5 findings\.\n$/);
  });
});

describe('the database', () => {
  test('An unreachable database is reported by the doctor, which runs the other checks and exits with 4', async () => {
    const { code, verdict, checks, findings } = await examine({
      KEYWRIGHT_DATABASE_URL: 'postgres://keywright:unused-password@127.0.0.1:1/keywright',
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_PORT: '0',
    });
    assert.deepEqual([code, verdict], [4, 'unreachable']);
    assert.match(
      findings.get('database')?.says ?? '',
      /^The database of \w+ cannot be reached: .*ECONNREFUSED/,
    );
    assert.equal(checks.find((check) => check.name === 'isolation')?.state, 'skipped');
    assert.equal(checks.find((check) => check.name === 'port')?.state, 'ok');
    assert.ok(!JSON.stringify(checks).includes('unused-password'));
  });

  test('The doctor reports what is missing in an unmigrated database, and creates nothing', async () => {
    const database = await createDatabase(server);
    const env = {
      KEYWRIGHT_DATABASE_URL: database.url,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
      KEYWRIGHT_PORT: '0',
    };
    await requireFinding(env, 'migrations', /^0001_tenants, .* not applied yet$/);
    const tables = await database.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`);
    assert.equal(tables.length, 0);
    await database.drop();
  });

  test('The doctor reports a database whose migrations were edited or come from a newer version', async () => {
    await inHealthyInstallation(async (database, env) => {
      const edit = `UPDATE migration_checksums SET checksum = 'x' WHERE name = '0001_tenants'`;
      await database.query(edit);
      await requireFinding(env, 'migrations', /^0001_tenants differ/);
      await database.query(`INSERT INTO migration_checksums VALUES ('9999_of_tomorrow', 'x')`);
      await requireFinding(env, 'migrations', /newer version has applied 9999_of_tomorrow/);
    });
  });

  test('The doctor reports a database without working isolation', async () => {
    await inHealthyInstallation(async (database, env) => {
      await database.query('ALTER TABLE sessions DISABLE ROW LEVEL SECURITY');
      await requireFinding(env, 'isolation', /sessions is not guarded/);
      await database.query('ALTER TABLE sessions ENABLE ROW LEVEL SECURITY');
      await database.query('ALTER ROLE keywright_tenant BYPASSRLS');
      await requireFinding(
        env,
        'isolation',
        /row-level security does not apply to keywright_tenant$/,
      );
      await database.query('ALTER ROLE keywright_tenant NOBYPASSRLS');
      assert.equal((await examine(env)).code, 0);
    });
  });

  test('The doctor reports a database whose user has the rights of a role without switching to it', async () => {
    await inHealthyInstallation(async (database, env) => {
      const url = new URL(database.url);
      [url.username, url.password] = ['ordinary', 'ordinary'];
      await database.query(`CREATE ROLE ordinary LOGIN PASSWORD 'ordinary'`);
      await database.query('GRANT SELECT ON ALL TABLES IN SCHEMA public TO ordinary');
      const grant = 'GRANT keywright_tenant, keywright_resolver, keywright_system TO ordinary';
      const settings = { ...env, KEYWRIGHT_DATABASE_URL: url.href };
      await database.query(`${grant} WITH INHERIT TRUE`);
      await requireFinding(
        settings,
        'isolation',
        /inherits the privileges of keywright_\w+, .* before it enters one/,
      );
      await database.query(`${grant} WITH INHERIT FALSE`);
      assert.equal((await examine(settings)).code, 0);
      await database.query('DROP OWNED BY ordinary');
      await database.query('DROP ROLE ordinary');
    });
  });

  test('The doctor reports a database whose role or database settings the service overrides', async () => {
    await inHealthyInstallation(async (database, env) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
      await database.query(`ALTER ROLE kw_service IN DATABASE ${name} SET search_path = elsewhere`);
      await requireFinding(
        env,
        'settings',
        new RegExp(
          `^DateStyle is SQL, DMY for the database ${name}; ` +
            `search_path is elsewhere for the role kw_service in the database ${name}$`,
        ),
      );
    });
  });

  test('The doctor reports a database whose settings the service cannot override', async () => {
    await inHealthyInstallation(async (database, env) => {
      const name = new URL(database.url).pathname.slice(1);
      await database.query(`ALTER DATABASE ${name} SET session_replication_role = replica`);
      await requireFinding(
        env,
        'database',
        /session_replication_role, which is replica for the database/,
      );
    });
  });

  test('The doctor reports a database whose clock differs', async () => {
    await inHealthyInstallation(async (database, env) => {
      await database.query(
        'ALTER FUNCTION pg_catalog.clock_timestamp() RENAME TO clock_timestamp_of_the_machine',
      );
      await database.query(
        `CREATE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql
           AS $$ SELECT pg_catalog.clock_timestamp_of_the_machine() + interval '8 seconds' $$`,
      );
      await requireFinding(env, 'clock', /^(7\.[5-9]|8\.[0-9]) s behind the database's$/);
    });
  });

  test('The doctor reports a master key that is different or does not unwrap every data key', async () => {
    await inHealthyInstallation(async (database, env) => {
      const other = { ...env, KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64') };
      await requireFinding(other, 'master key', /^KEYWRIGHT_MASTER_KEY is not the master key/);
      const both = { ...other, KEYWRIGHT_MASTER_KEY_PREVIOUS: env['KEYWRIGHT_MASTER_KEY'] ?? '' };
      await requireFinding(both, 'master key', /is not in use yet/);
      await database.query(
        `UPDATE tenant_data_keys SET wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)`,
      );
      await requireFinding(env, 'master key', /^1 data key cannot be opened: org_default$/);
    });
  });

  test('The doctor reports a database in which a tenant has no active signing key', async () => {
    await inHealthyInstallation(async (database, env) => {
      await database.query('UPDATE signing_keys SET retired_at = now()');
      await requireFinding(env, 'signing keys', /^these tenants have no signing key: org_default$/);
    });
  });
});

describe('the addresses', () => {
  test('An https base URL requires trusted proxies', async () => {
    await inHealthyInstallation(async (_database, env) => {
      const behind = { ...env, KEYWRIGHT_BASE_URL: 'https://id.example.invalid' };
      await requireFinding(behind, 'proxies', /there is a proxy, but no proxy is trusted/);
      const { code, checks } = await examine({
        ...behind,
        KEYWRIGHT_TRUSTED_PROXIES: '10.0.0.0/8',
      });
      assert.equal(code, 0);
      const says = checks.find((check) => check.name === 'base URL')?.says;
      assert.match(says ?? '', /not reachable from this machine now/);
    });
  });

  test('A proxy that the running service does not trust is a finding', async () => {
    await inHealthyInstallation(async (_database, env) => {
      await whileServing(env, async (port) => {
        const baseUrl = `http://127.0.0.1:${port}`;
        const settings = { ...env, KEYWRIGHT_PORT: port, KEYWRIGHT_BASE_URL: baseUrl };
        assert.equal((await examine(settings)).code, 0);
        await fetch(`${baseUrl}/livez`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
        await requireFinding(settings, 'proxies', /through an internal proxy that is not trusted/);
      });
    });
  });

  test('A base URL is required if other machines are to reach the service', async () => {
    await inHealthyInstallation(async (_database, env) => {
      await requireFinding(
        { ...env, KEYWRIGHT_HOST: '0.0.0.0' },
        'base URL',
        /^not set, so tokens/,
      );
    });
  });

  test('The host of the base URL must resolve to the default tenant', async () => {
    await inHealthyInstallation(async (database, env) => {
      await database.query(`DELETE FROM tenant_domains WHERE domain = '127.0.0.1'`);
      await whileServing(env, async (port) => {
        const baseUrl = `http://127.0.0.1:${port}`;
        const settings = { ...env, KEYWRIGHT_PORT: port, KEYWRIGHT_BASE_URL: baseUrl };
        await requireFinding(settings, 'base URL', /returns 400 TENANT_NOT_FOUND/);
      });
    });
  });

  test('A port used by another program is reported', async () => {
    await inHealthyInstallation(async (_database, env) => {
      const program = createServer((socket) => socket.end('no HTTP\r\n')).listen(0, '127.0.0.1');
      await once(program, 'listening');
      const { port } = program.address() as AddressInfo;
      const { code, findings } = await examine({ ...env, KEYWRIGHT_PORT: String(port) });
      program.close();
      assert.equal(code, 3);
      assert.deepEqual([...findings.keys()], ['base URL', 'port']);
      assert.match(findings.get('base URL')?.says ?? '', /does not return the key set/);
      assert.match(findings.get('port')?.says ?? '', /is in use by another program$/);
    });
  });

  test('An invalid environment is the only finding', async () => {
    const { code, findings } = await examine({ KEYWRIGHT_PORT: 'eighty', KEYWRIGHT_COLOR: 'red' });
    assert.equal(code, 3);
    assert.match(findings.get('environment')?.says ?? '', /KEYWRIGHT_PORT.*KEYWRIGHT_COLOR/);
  });
});
