import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chartOf } from './chart.ts';
import { Published } from './published.ts';
import type { RowRecord } from './record.ts';
import { speedSentence, summaryTable } from './summary.ts';
import { RECORD } from './test-record.ts';

const OURS: RowRecord = { ...RECORD, row: 'key-set', server_micros: 20, database_micros: 0 };
const PEER: RowRecord = { ...OURS, party: 'oidc-provider', server_micros: 80 };
const OLD_PEER: RowRecord = { ...OURS, party: 'better-auth', server_micros: 60, at: '2026-01-01' };

describe('The published requests', () => {
  const published = new Published([OURS, PEER, OLD_PEER]);

  test('A line of the first table has requests per second of a core, and the best peer of the same run', () => {
    const [, line] = summaryTable(published);
    assert.deepEqual(line?.slice(0, 4), ['Key set', '50,000', 'oidc-provider, 12,500', '4.0×']);
  });

  test('A peer of another run is not compared in the sentence of the README or in the chart', () => {
    const row = 'api-key';
    const lookups = new Published([
      { ...OURS, row },
      { ...PEER, row },
      { ...OLD_PEER, row },
    ]);
    const sentence = speedSentence(lookups);
    assert.match(sentence, /handles 50,000 API key lookups \(4\.0× oidc-provider\)\./);
    assert.match(sentence, /The lowest is 4\.0× \(`GET \/me` with an API key\)\./);
    const chart = chartOf(published);
    assert.ok(chart.includes('<rect class="oidc-provider"'));
    assert.ok(!chart.includes('<path class="better-auth"'));
  });

  test('A code exchange costs two requests of its row, less an authorization of that run and party', () => {
    const codes = { ...OURS, row: 'oauth-code-eddsa', server_micros: 200, database_micros: 100 };
    const authorize = { ...OURS, row: 'oauth-authorize', server_micros: 80, database_micros: 20 };
    const found = new Published([codes, authorize]).cost('oauth-exchange-eddsa');
    assert.deepEqual([found?.server_micros, found?.database_micros], [320, 180]);
    const others = [{ at: '2026-01-01' }, { party: 'oidc-provider' as const }];
    for (const other of others)
      assert.equal(
        new Published([codes, { ...authorize, ...other }]).cost('oauth-exchange-eddsa'),
        undefined,
      );
  });

  test('A row without published figures has no line', () => {
    assert.equal(summaryTable(published).length, 2);
  });
});
