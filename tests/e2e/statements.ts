import pg from 'pg';
import type { PostgresServer } from '../harness/postgres.ts';

/** Runs a file for psql as a superuser. It can connect to other databases with `\connect`. */
export async function runStatements(server: PostgresServer, file: string): Promise<void> {
  const [first = '', ...others] = file.split(/^\\connect /m);
  const parts = [['postgres', first] as const, ...others.map(splitLine)];
  for (const [database, statements] of parts) {
    const client = new pg.Client(server.databaseUrl(database));
    await client.connect();
    for (const statement of statements.split(';\n').filter((text) => text.trim() !== '')) {
      await client.query(statement);
    }
    await client.end();
  }
}

function splitLine(text: string): readonly [first: string, rest: string] {
  const end = text.indexOf('\n');
  return [text.slice(0, end), text.slice(end + 1)];
}
