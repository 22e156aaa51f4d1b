import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { runCommand } from '@keywright/tests/harness/command-line';
import { createDatabase, type TestDatabase } from '@keywright/tests/harness/database';
import pg from 'pg';

let server: TestDatabase;

before(async () => {
  server = await createDatabase();
});
after(() => server.drop());

/** Like psql: a statement that fails does not stop the next ones. */
async function runAsSuperuser(pathname: string, sql: string): Promise<string[]> {
  const client = new pg.Client(Object.assign(new URL(server.superuserUrl), { pathname }).href);
  await client.connect();
  const failures: string[] = [];
  for (const statement of sql.split('\n')) {
    await client.query(statement).catch((error: unknown) => failures.push(String(error)));
  }
  await client.end();
  return failures;
}

describe('database sql', () => {
  test('The database sql command prints the statements after which migrate works, whatever the names and the password are', async () => {
    const name = `Kw "sql" ${randomBytes(6).toString('hex')}`;
    const url = new URL(server.url);
    [url.username, url.password] = [name, `it's a \\ "secret"`];
    url.pathname = `/${encodeURIComponent(name)}`;
    const env = {
      KEYWRIGHT_DATABASE_URL: url.href,
      KEYWRIGHT_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    const { code, stdout, stderr } = await runCommand(['database', 'sql'], { env });
    assert.equal(code, 0, stderr);
    const [setting, ...lines] = stdout.trimEnd().split('\n');
    assert.equal(setting, `-- KEYWRIGHT_DATABASE_URL=${url.href}`);
    const [outside = '', inside = ''] = lines.join('\n').split(/\n\\connect .+\n/);
    const failures = await runAsSuperuser('/postgres', outside);
    assert.deepEqual(
      failures.filter((failure) => !/role "keywright_\w+" already exists/.test(failure)),
      [],
    );
    assert.deepEqual(await runAsSuperuser(url.pathname, inside), []);
    const migrated = await runCommand(['migrate'], { env });
    assert.equal(migrated.code, 0, migrated.stderr);
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await runAsSuperuser('/postgres', `DROP DATABASE ${quoted} WITH (FORCE)\nDROP ROLE ${quoted}`);
  });

  test('The database sql command without KEYWRIGHT_DATABASE_URL generates a password and prints the URL to set', async () => {
    const passwordOf = async () => {
      const { answer } = await runCommand<{ sql: string; database_url: string }>(
        ['database', 'sql', '--json'],
        { env: {} },
      );
      const { password, username, pathname } = new URL(answer.result.database_url);
      assert.deepEqual([username, pathname], ['keywright', '/keywright']);
      assert.ok(answer.result.sql.includes(`PASSWORD '${password}';`));
      return password;
    };
    const passwords = [await passwordOf(), await passwordOf()];
    assert.match(passwords[0] ?? '', /^[0-9a-f]{48}$/);
    assert.notEqual(passwords[0], passwords[1]);
  });

  test('The database sql command rejects a KEYWRIGHT_DATABASE_URL without a user, a password or a database', async () => {
    for (const url of [
      'postgres://db.example.com/id',
      'mysql',
      'postgres://id:pw@db.example.com',
    ]) {
      const { code, stderr } = await runCommand(['database', 'sql'], {
        env: { KEYWRIGHT_DATABASE_URL: url },
      });
      assert.equal(code, 2);
      assert.match(stderr, /must have a user, a password and a database/);
    }
  });
});
