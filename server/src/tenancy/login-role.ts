import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { Database } from '../platform/db/database.ts';
import type { Gate, SystemData } from './gate.ts';
import { type LoginRole, SERVICE_ROLES, findLoginRole } from './login-role-store.ts';
import { countAllCheckRows, countVisibleCheckRows, listUnguardedTables } from './store.ts';

/** The service's login role cannot be used: nothing can be created or served. */
class LoginRoleUnusable extends Error {
  constructor({ role, database, problems }: UnusableRole) {
    const statements = problems.flatMap((problem) =>
      problem.statements.map((statement) => `  ${statement}`),
    );
    const reasons = problems.map(({ says }) => `  - ${says}`);
    super(
      [
        'Run these statements in psql, as a superuser of PostgreSQL:',
        '',
        `  \\connect ${database}`,
        ...statements,
        '',
        `Keywright cannot work as the role ${role} of KEYWRIGHT_DATABASE_URL:`,
        ...reasons,
        'docs/guide/postgresql.md explains the statements. Nothing was changed.',
      ].join('\n'),
    );
    this.name = 'LoginRoleUnusable';
  }
}

interface RoleProblem {
  readonly says: string;
  /** Statements that fix the problems when a superuser runs them in the database. */
  readonly statements: readonly string[];
}

interface UnusableRole {
  readonly role: string;
  readonly database: string;
  readonly problems: readonly RoleProblem[];
}

/**
 * Checks the service's login role before any tenant is entered and before anything is created.
 * @throws LoginRoleUnusable with all problems: row-level security does not apply to the role, it inherits the
 * privileges of the service's roles, which see tenants, or it lacks a privilege
 */
export async function requireUsableLoginRole(database: Database): Promise<void> {
  const unusable = await checkLoginRole(database);
  if (unusable) throw new LoginRoleUnusable(unusable);
}

/** Returns all problems of the service's login role; undefined if there are none. */
export async function checkLoginRole(database: Database): Promise<UnusableRole | undefined> {
  // The embedded engine runs in this process as a superuser, inaccessible to others; each transaction switches roles.
  if (database.engine === 'embedded') return undefined;
  const role = await findLoginRole(database);
  const problems = problemsOf(role);
  return problems.length === 0 ? undefined : { role: role.name, database: role.database, problems };
}

function problemsOf(role: LoginRole): RoleProblem[] {
  const { name, database, inherits, unbound } = role;
  const createMissing = role.missing.map((roleName) => `CREATE ROLE ${roleName} NOLOGIN;`);
  if (role.is_superuser) {
    return [
      {
        says: 'it is a superuser, and row-level security does not apply to superusers',
        statements: [
          `CREATE ROLE keywright LOGIN NOINHERIT PASSWORD 'choose-one';`,
          ...createMissing,
          `GRANT ${SERVICE_ROLES.join(', ')} TO keywright;`,
          `ALTER DATABASE ${database} OWNER TO keywright;`,
        ],
      },
    ];
  }
  // Since PostgreSQL 16, each membership stores whether it is inherited.
  const storesInherit = role.server_version >= 160_000;
  const grant = (roles: readonly string[]) =>
    `GRANT ${roles.join(', ')} TO ${name}${storesInherit ? ' WITH INHERIT FALSE' : ''};`;
  const missing = role.can_create_roles ? [] : role.missing;
  const ungranted = [...missing, ...role.forbidden];
  return [
    role.bypasses_rls && {
      says: 'it has BYPASSRLS, so row-level security does not apply to it',
      statements: [`ALTER ROLE ${name} NOBYPASSRLS;`],
    },
    unbound.length > 0 && {
      says: `row-level security does not apply to ${unbound.join(', ')}`,
      statements: unbound.map((roleName) => `ALTER ROLE ${roleName} NOSUPERUSER NOBYPASSRLS;`),
    },
    inherits.length > 0 && {
      says: `it inherits the privileges of ${inherits.join(', ')}, so it sees tenants before it enters one`,
      statements: [`ALTER ROLE ${name} NOINHERIT;`, ...(storesInherit ? [grant(inherits)] : [])],
    },
    missing.length > 0 && {
      says: `${missing.join(', ')} do not exist, and it cannot create roles`,
      statements: createMissing,
    },
    ungranted.length > 0 && {
      says: `it is not a member of ${ungranted.join(', ')}`,
      statements: [grant(ungranted)],
    },
    role.lacks_schema && {
      says: 'it cannot create tables in the schema public',
      statements: [`GRANT CREATE ON SCHEMA public TO ${name};`],
    },
  ].filter((problem) => problem !== false);
}

/** A row of one tenant is visible to another, or the check cannot tell: the service must not start. */
export class IsolationBroken extends Error {
  constructor(finding: string) {
    super(
      `Keywright cannot serve requests: ${finding}. Row-level security is not effective on this database. ` +
        'Check that the policies of its migrations are in place, and that the roles keywright_tenant, ' +
        'keywright_resolver and keywright_system are not superusers and do not have BYPASSRLS.',
    );
    this.name = 'IsolationBroken';
  }
}

/**
 * Looks for unprotected tables, and, from inside a tenant, for a row of another tenant (layer 2 of tenant isolation).
 * @throws IsolationBroken if a table is unprotected, the row is visible, or the row does not exist, so that the check
 * proves nothing
 */
export async function checkIsolation(gate: Gate, system: SystemData): Promise<void> {
  const [unguarded, there] = await system.maintain(
    'isolation check',
    async (tx) => [await listUnguardedTables(tx), await countAllCheckRows(tx)] as const,
  );
  if (unguarded.length > 0) throw new IsolationBroken(`${unguarded.join(', ')} is not guarded`);
  if (there !== 1) throw new IsolationBroken('the row of the isolation check is missing');
  const seen = await gate.into(DEFAULT_TENANT).transaction(countVisibleCheckRows);
  if (seen !== 0) throw new IsolationBroken('a row of another tenant is visible');
}
