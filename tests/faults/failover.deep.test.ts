import pg from 'pg';
import { test } from 'node:test';
import type { PostgresServer } from '../harness/postgres.ts';
import { until } from '../harness/until.ts';
import { Fleet } from './fleet.ts';
import { Ledger } from './matrix.ts';

/** The database of the fleet on another server, as the superuser. */
function databaseOn(server: PostgresServer, fleet: Fleet) {
  const url = server.databaseUrl(new URL(fleet.database.url).pathname.slice(1));
  return {
    async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) {
      const client = new pg.Client(url);
      await client.connect();
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } finally {
        await client.end();
      }
    },
  };
}

test('A failover to a synchronous standby loses no acknowledged write and revives no revoked session, while the former primary continues to run', async () => {
  const fleet = await Fleet.start({ nodes: 2, isRelayed: true });
  const standby = await fleet.server.startStandby();
  try {
    await fleet.database.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await fleet.database.query('SELECT pg_reload_conf()');
    await until('the standby is synchronous', async () => {
      const rows = await fleet.database.query(
        `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`,
      );
      return rows.length > 0;
    });
    const ledger = await Ledger.open(fleet);
    await ledger.isServed('before the failover');
    await standby.promote();
    fleet.relay.target = standby.port;
    // The terminated connection reconnects and shows the nodes the new primary. The others still use the former one.
    await fleet.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'keywright watch%'`,
    );
    await ledger.isServed('after the failover');
    await ledger.isServed('a little later');
    await ledger.close(databaseOn(standby, fleet));
  } finally {
    // Otherwise the former primary would wait for its standby.
    await fleet.database.query('ALTER SYSTEM RESET synchronous_standby_names');
    await fleet.database.query('SELECT pg_reload_conf()');
    await fleet.close();
    await standby.close();
  }
});

test('No worker of a process uses the former primary for long after a failover, even if nothing ends its connections', async () => {
  const fleet = await Fleet.start({ nodes: 1, isRelayed: true, env: { KEYWRIGHT_WORKERS: '2' } });
  const standby = await fleet.server.startStandby();
  try {
    for (let requests = 0; requests < 20; requests += 1) await fleet.register(0);
    await standby.promote();
    fleet.relay.target = standby.port;
    await until(
      'no connection leads to the former primary',
      async () => {
        const rows = await fleet.database.query(
          `SELECT FROM pg_stat_activity WHERE application_name LIKE 'keywright%'`,
        );
        return rows.length === 0;
      },
      60_000,
    );
  } finally {
    await fleet.close();
    await standby.close();
  }
});
