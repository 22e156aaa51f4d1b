import { randomBytes } from 'node:crypto';
import { remote, UsageError } from '../command.ts';

interface Printed {
  readonly sql: string;
  readonly database_url: string;
}

const ROLES = ['keywright_tenant', 'keywright_resolver', 'keywright_system'];
const PASSWORD_BYTES = 24;

export const databaseSql = remote<Printed>({
  name: 'database sql',
  isOffline: true,
  summary: 'print the SQL statements that prepare a PostgreSQL server',
  details:
    'Run them once in psql, as a superuser. They create the role that the service connects as, the three roles that it ' +
    'switches to, and the database. The names and the password come from KEYWRIGHT_DATABASE_URL. If it is not set, a ' +
    'password is generated. The first line of the output is the URL to set. The command does not connect to a database.',
  options: {},
  examples: [
    'keywright database sql > keywright.sql',
    'KEYWRIGHT_DATABASE_URL=postgres://id:secret@db/id keywright database sql',
  ],
  perform: async (_options, { environment }) => {
    const url = readUrl(environment['KEYWRIGHT_DATABASE_URL']);
    return { sql: statements(url), database_url: url.href };
  },
  render: ({ sql, database_url: url }) => `-- KEYWRIGHT_DATABASE_URL=${url}\n${sql}`,
});

function readUrl(value: string | undefined): URL {
  if (value === undefined) {
    const password = randomBytes(PASSWORD_BYTES).toString('hex');
    return new URL(`postgres://keywright:${password}@localhost:5432/keywright`);
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && url.username !== '' && url.password !== '' && url.pathname.length > 1) return url;
  throw new UsageError(
    'KEYWRIGHT_DATABASE_URL must have a user, a password and a database: postgres://USER:PASSWORD@HOST:5432/DATABASE.',
  );
}

function statements({ username, password, pathname }: URL): string {
  const user = identifier(decodeURIComponent(username));
  const database = identifier(decodeURIComponent(pathname.slice(1)));
  return [
    `CREATE ROLE ${user} LOGIN NOINHERIT PASSWORD ${literal(decodeURIComponent(password))};`,
    ...ROLES.map((role) => `CREATE ROLE ${role} NOLOGIN;`),
    `GRANT ${ROLES.join(', ')} TO ${user};`,
    `CREATE DATABASE ${database} OWNER ${user};`,
    `\\connect ${database}`,
    `GRANT CREATE ON SCHEMA public TO ${user};`,
  ].join('\n');
}

/** Quotes a database identifier unless it is a plain name. */
function identifier(name: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}
