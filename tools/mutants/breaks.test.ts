import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { areaNames, findArea } from './areas.ts';
import { applied, breaksOfCode, breaksOfSql } from './breaks.ts';

const CODE = `async function pay(sum: number): Promise<402 | number> {
  if (sum === null) return undefined;
  if (sum > 0 && isOpen()) await send(sum);
  log(true);
  return sum;
}`;

test('The breaks of code affect its conditions, operators, statements, awaits, returns and constants', () => {
  const found = breaksOfCode('pay.ts', CODE);
  const broken = found.map((mutant) => {
    const line = applied(CODE, mutant).split('\n')[mutant.line - 1]?.trim();
    return `${mutant.what}: ${line}`;
  });
  assert.deepEqual(broken, [
    'negates a condition: if (!(sum === null)) return undefined;',
    'makes === !==: if (sum !== null) return undefined;',
    'negates a condition: if (!(sum > 0 && isOpen())) await send(sum);',
    'makes > <=: if (sum <= 0 && isOpen()) await send(sum);',
    'changes a number: if (sum > 1 && isOpen()) await send(sum);',
    'makes && ||: if (sum > 0 || isOpen()) await send(sum);',
    'drops a statement: if (sum > 0 && isOpen()) ;',
    'drops an await: if (sum > 0 && isOpen()) void send(sum);',
    'drops a statement: ;',
    'turns a constant: log(false);',
    'returns nothing: return undefined as never;',
  ]);
});

const SQL = `CREATE FUNCTION kw_find(p_now timestamptz) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  -- Not this > that.
  RETURN (SELECT k.id FROM api_keys k
   WHERE k.tenant_id = 'a' AND k.is_active AND k.expires_at > p_now AND k.revoked_at IS NULL);
END
$$;
`;

test('The breaks of SQL affect its conditions, and never a comment', () => {
  const found = breaksOfSql('find.sql', SQL);
  assert.deepEqual(
    found.map((mutant) => `${mutant.what} ${SQL.slice(mutant.start, mutant.end).trim()}`),
    [
      'drops a condition AND k.is_active',
      'drops a condition AND k.expires_at > p_now',
      'makes > <= >',
      'makes IS NULL IS NOT NULL IS NULL',
    ],
  );
});

test('An area is a folder, with the tests in it and those elsewhere that depend on it', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const { sources, tests } = findArea(root, 'events/journal');
  assert.ok(sources.includes('server/src/modules/events/journal/module.ts'));
  assert.ok(sources.every((file) => !file.endsWith('.test.ts')));
  assert.match(tests[0] ?? '', /^server\/src\/modules\/events\/journal\//);
  assert.ok(tests.includes('cli/src/audit.test.ts'));
  const functions = findArea(root, 'server/sql/tokens');
  assert.ok(functions.sources.includes('server/sql/tokens/kw_live_grants.sql'));
  assert.ok(functions.tests.includes('tests/isolation/database-functions.test.ts'));
  assert.ok(areaNames(root).every((name) => findArea(root, name).sources.length > 0));
  assert.throws(() => findArea(root, 'nothing'), { message: 'nothing has no code.' });
});
