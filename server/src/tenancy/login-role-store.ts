import { type Database, lookUp } from '../platform/db/database.ts';

const SERVICE_ROLES = ['keywright_tenant', 'keywright_resolver', 'keywright_system'];

/** The role that the service logs in as. */
export interface LoginRole {
  readonly name: string;
  readonly is_superuser: boolean;
  readonly bypasses_rls: boolean;
  /** The service's roles whose privileges it inherits. */
  readonly inherits: readonly string[];
}

// A role set for the login role, which takes effect immediately, counts like it. Before PostgreSQL 16 the roles that a
// migration creates and grants would be inherited as well.
const loginRole = lookUp<LoginRole>(
  'kw_login_role',
  `SELECT l.rolname::text AS name,
          l.rolsuper OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS is_superuser,
          l.rolbypassrls OR (SELECT rolbypassrls FROM pg_roles WHERE rolname = current_user) AS bypasses_rls,
          ARRAY(SELECT wanted FROM unnest($1::text[]) AS wanted
                  LEFT JOIN pg_roles r ON r.rolname = wanted
                 WHERE CASE
                   WHEN r.oid IS NULL
                     THEN l.rolinherit AND current_setting('server_version_num')::integer < 160000
                   ELSE pg_has_role(l.oid, r.oid, 'USAGE') OR pg_has_role(current_user, r.oid, 'USAGE')
                 END) AS inherits
     FROM pg_roles l WHERE l.rolname = session_user`,
);

export async function findLoginRole(database: Database): Promise<LoginRole> {
  const [role] = await database.run(loginRole, [SERVICE_ROLES]);
  if (!role) throw new Error('PostgreSQL does not know the current role.');
  return role;
}
