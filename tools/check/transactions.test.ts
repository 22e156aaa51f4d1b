import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findUnrepeatable } from './transactions.ts';

function foundIn(t: TestContext, source: string): string[] {
  const root = mkdtempSync(join(tmpdir(), 'keywright-transactions-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'server/src'), { recursive: true });
  writeFileSync(join(root, 'server/src/service.ts'), source);
  return findUnrepeatable(root).map(({ what }) => what);
}

test('The work within a transaction must not count, collect or set a flag outside it', (t) => {
  const inWork = (line: string) =>
    foundIn(
      t,
      `let n = 0; const all: X[] = []; let isNew; data.transaction(async (tx) => { ${line} });`,
    );
  assert.deepEqual(inWork('n += 1;'), ['n += 1']);
  assert.deepEqual(inWork('n++;'), ['n++']);
  assert.deepEqual(inWork('isNew = true;'), ['isNew = true']);
  assert.deepEqual(inWork('for (const row of await find(tx)) all.push(row);'), ['all.push(row)']);
  assert.deepEqual(foundIn(t, 'async function work({ tx }: Given) { seen.add(1); }'), [
    'seen.add(1)',
  ]);
});

test('The work within a transaction can use its own variables and assign its result', (t) => {
  const statements =
    'let n = 0; n += 1; const all: X[] = []; all.push(n); result = await find(tx);';
  assert.deepEqual(foundIn(t, `data.transaction(async (tx) => { ${statements} });`), []);
  assert.deepEqual(foundIn(t, 'const collect = (list: X[]) => { total += 1; };'), []);
});
