import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { REMOTE_VARIABLES } from '../../cli/src/remote/environment.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { environmentPage } from './environment.ts';

const TELEMETRY = new URL('../../server/src/platform/telemetry/', import.meta.url);

test('The environment page has every OpenTelemetry variable that the sources name', () => {
  const page = environmentPage();
  const sources = globSync('*.ts', { cwd: TELEMETRY }).map((file) =>
    readFileSync(new URL(file, TELEMETRY), 'utf8'),
  );
  const names = new Set(sources.join('\n').match(/\bOTEL_[A-Z_]+[A-Z]\b/g));
  assert.ok(names.size > 5);
  for (const name of names) assert.ok(page.includes(`\`${name}\``), name);
});

test('The service ignores the variables of remote commands', () => {
  const all = Object.fromEntries(Object.keys(REMOTE_VARIABLES).map((name) => [name, 'any value']));
  assert.deepEqual(readConfig(all), readConfig({}));
});
