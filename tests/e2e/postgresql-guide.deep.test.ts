// The guide to PostgreSQL: its commands prepare an empty server and start the service.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPostgres } from '../harness/postgres.ts';
import { temporaryDirectory } from '../harness/temporary.ts';
import { blocksOf } from './guide-page.ts';
import { GuideShell } from './guide-shell.ts';
import { runStatements } from './statements.ts';

test('The commands of the PostgreSQL guide prepare an empty server, on which the service starts with an administrator', async (t) => {
  const server = await startPostgres({ superuser: 'postgres' });
  t.after(() => server.close());
  const folder = await temporaryDirectory('guide');
  const guide = await GuideShell.open('postgresql.md', folder);
  t.after(() => guide.close());
  await guide.replaceStart();

  await guide.paste('database sql');
  await guide.run(`sed -i 's/@localhost:5432/@127.0.0.1:${server.port}/' keywright.sql`);
  const statements = await readFile(join(folder, 'keywright.sql'), 'utf8');
  const printed = statements.replaceAll(/PASSWORD '.*'/g, "PASSWORD 'choose-one'");
  const shown = blocksOf('postgresql.md').find(({ language }) => language === 'sql');
  assert.equal(printed.slice(printed.indexOf('\n') + 1), shown?.text);
  await runStatements(server, statements);

  const output = await guide.paste('npx keywright migrate');
  assert.match(output, /^Applied:[^]*^Password: \w{24} /m);
  assert.deepEqual(guide.left, []);
  assert.match(await guide.run('curl -s http://localhost:$KEYWRIGHT_PORT/health'), /"status":"ok"/);
});
