import { type Database, lookUp } from '../platform/db/database.ts';

export const SERVICE_ROLES = ['keywright_tenant', 'keywright_resolver', 'keywright_system'];

/** The role that the service logs in as, and its privileges in PostgreSQL. Names are quoted as identifiers. */
export interface LoginRole {
  readonly name: string;
  readonly database: string;
  readonly server_version: number;
  readonly is_superuser: boolean;
  readonly bypasses_rls: boolean;
  /** The service's roles that bypass row-level security. */
  readonly unbound: readonly string[];
  readonly can_create_roles: boolean;
  /** The service's roles that do not exist. */
  readonly missing: readonly string[];
  /** The service's roles that the login role is not a member of. */
  readonly forbidden: readonly string[];
  /** The service's roles whose privileges the login role inherits. */
  readonly inherits: readonly string[];
  /** Whether the database is empty and the login role cannot create tables in it. */
  readonly lacks_schema: boolean;
}

// A role that is set for the login role takes effect immediately, so it counts like the login role. Before PostgreSQL
// 16, the roles that a migration creates and grants would be inherited as well.
const loginRole = lookUp<LoginRole>(
  'kw_login_role',
  `WITH login AS (
     SELECT *, quote_ident(rolname) AS name, current_setting('server_version_num')::integer AS version
       FROM pg_roles WHERE rolname = session_user),
   wanted AS (
     SELECT w.name, r.oid, coalesce(r.rolsuper OR r.rolbypassrls, false) AS is_unbound
       FROM unnest($1::text[]) WITH ORDINALITY AS w (name, position)
       LEFT JOIN pg_roles r ON r.rolname = w.name
      ORDER BY w.position)
   SELECT l.name,
          quote_ident(current_database()) AS database,
          l.version AS server_version,
          l.rolsuper OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
          l.rolbypassrls OR (SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses_rls,
          ARRAY(SELECT w.name FROM wanted w WHERE w.is_unbound) AS unbound,
          l.rolcreaterole AS can_create_roles,
          ARRAY(SELECT w.name FROM wanted w WHERE w.oid IS NULL) AS missing,
          ARRAY(SELECT w.name FROM wanted w
                 WHERE w.oid IS NOT NULL AND NOT pg_has_role(l.oid, w.oid, 'MEMBER')) AS forbidden,
          ARRAY(SELECT w.name FROM wanted w
                 WHERE CASE WHEN w.oid IS NULL THEN l.rolinherit AND l.version < 160000
                       ELSE pg_has_role(l.oid, w.oid, 'USAGE') OR pg_has_role(current_user, w.oid, 'USAGE')
                       END) AS inherits,
          to_regclass('public.tenants') IS NULL
            AND NOT has_schema_privilege(session_user, 'public', 'CREATE') AS lacks_schema
     FROM login l`,
);

export async function findLoginRole(database: Database): Promise<LoginRole> {
  const [role] = await database.run(loginRole, [SERVICE_ROLES]);
  if (!role) throw new Error('PostgreSQL does not know the current role.');
  return role;
}
