import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const SCHEMA = readFileSync(new URL('../src/platform/db/schema.ts', import.meta.url), 'utf8');

/** ID columns that mix several kinds, or whose IDs are not the service's own. */
const UNBRANDED = [
  'AccountExports.id',
  'AuditEntries.actor_id',
  'AuditEntries.request_id',
  'AuditEntries.target_id',
  'Challenges.id',
  'IdentifierUndos.id',
  'IdentityProviders.client_id',
  'Installation.master_key_id',
  'IsolationCheck.id',
  'Messages.challenge_id',
  'Nodes.id',
  'SignalDeliveries.id',
  'StatusDependents.grant_id',
  'Suppressions.id',
  'TenantDataKeys.master_key_id',
  'UpstreamLogins.flow_id',
  'UserCredentials.external_id',
  'UserFactors.rp_id',
];

test('Every column with IDs of one kind has their branded type', () => {
  const tables = SCHEMA.matchAll(/^export interface (\w+) \{\n([^}]*)\}/gm);
  const found = [...tables].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/^ {2}(id|\w+_id): .*\bstring\b/gm)].map(([, name]) => `${table}.${name}`),
  );
  assert.deepEqual(found, UNBRANDED, 'name the kind of id in server/generate/ids.ts');
});
