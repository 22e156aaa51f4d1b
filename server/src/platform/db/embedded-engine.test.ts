import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { preparedDataFolder } from '@keywright/tests/harness/data-folder';

/**
 * Uses up the file handles of its process, tries to write, releases them, and writes again. Prints the results and the
 * log.
 */
const PROGRAM = `
  import { closeSync, openSync } from 'node:fs';
  import { openEmbedded } from '${new URL('./embedded.ts', import.meta.url).href}';
  import { isUnavailable } from '${new URL('./failures.ts', import.meta.url).href}';
  const log = [];
  const say = (message) => log.push(message);
  const database = await openEmbedded(process.argv[1], say, undefined, say);
  const attempt = async (text) => {
    try {
      return (await database.run({ name: '', text }, []), 'acknowledged');
    } catch (error) {
      return isUnavailable(error) ? 'unavailable' : String(error);
    }
  };
  const held = [];
  const exhaust = () => {
    try {
      for (;;) held.push(openSync('/dev/null'));
    } catch {}
  };
  await attempt('CREATE TABLE first (n integer)');
  exhaust();
  const during = await attempt('CREATE TABLE second (n integer)');
  const { fault } = database;
  const code = fault()?.code;
  for (const handle of held) closeSync(handle);
  let after = 'unavailable';
  while (after === 'unavailable') after = await attempt('CREATE TABLE third (n integer)');
  const again = await attempt('CREATE TABLE second (n integer)');
  const notes = await attempt('INSERT INTO first SELECT generate_series(1, 20000)');
  console.log(JSON.stringify({ during, code, after, again, notes, isWell: fault() === undefined, log }));
  await database.close();
`;

test('A write that fails for lack of file handles succeeds when there are handles again, and the log names the cause', async () => {
  const node = [process.execPath, '--input-type=module', '-e', PROGRAM, await preparedDataFolder()];
  const output = execFileSync('sh', ['-c', 'ulimit -n 300 && exec "$@"', 'sh', ...node], {
    encoding: 'utf8',
  });
  const { log, ...outcome } = JSON.parse(output) as { readonly log: readonly string[] };
  assert.deepEqual(outcome, {
    during: 'unavailable',
    code: 'data_folder',
    after: 'acknowledged',
    again: 'acknowledged',
    notes: 'acknowledged',
    isWell: true,
  });
  assert.match(log[0] ?? '', /ran out of file handles.* Raise the limit/);
  assert.equal(log.at(-1), 'PostgreSQL was restarted');
  assert.equal(log.length, 2);
});
