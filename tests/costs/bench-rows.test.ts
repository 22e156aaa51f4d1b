import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MILLION_ROWS, ROWS } from '../../bench/rows/all.ts';

const CONNECTIONS = 4;
const TOKENS = 16;

/** Provides every string that a row requests of a peer. No two names share a string. */
const filling = new Proxy<Readonly<Record<string, readonly string[]>>>(
  {},
  { get: (_, name) => Array.from({ length: TOKENS }, (__, index) => `${String(name)} ${index}`) },
);

test('No two rows of the bench present a peer with the same refresh token, which the peer accepts once', () => {
  const presented = [...ROWS, ...MILLION_ROWS].flatMap(({ name, peers = {} }) =>
    Object.entries(peers).flatMap(([peer, trafficOf]) =>
      trafficOf(filling, CONNECTIONS)
        .scripts.flatMap((script) => (script.kind === 'refresh' ? script.sessions : []))
        .map(({ token }) => ({ row: name, token: `${peer}: ${token}` })),
    ),
  );
  assert.ok(presented.length > TOKENS);
  const rows = Map.groupBy(presented, ({ token }) => token);
  const repeated = [...rows.values()].filter((uses) => uses.length > 1).slice(0, 1);
  assert.deepEqual(repeated, []);
});
