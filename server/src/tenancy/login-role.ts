import type { Database } from '../platform/db/database.ts';
import { findLoginRole, type LoginRole } from './login-role-store.ts';

/** The role that the service logs in as could bypass row-level security: nothing may be created or served. */
class LoginRoleUnsafe extends Error {
  constructor(name: string, flaw: string, mend: string) {
    super(
      `Keywright refuses to work as the role ${name} of KEYWRIGHT_DATABASE_URL: ${flaw}. ${mend} ` +
        'docs/guide/postgresql.md lists what it needs. Nothing was changed.',
    );
    this.name = 'LoginRoleUnsafe';
  }
}

/**
 * Checks the role that the service logs in as, before any tenant is entered and before anything is created.
 * @throws LoginRoleUnsafe when row-level security does not bind it, or when it inherits the privileges of the service's
 * roles, which see tenants
 */
export async function requireSafeLoginRole(database: Database): Promise<void> {
  const flaw = await findFlawOfLoginRole(database);
  if (flaw) throw new LoginRoleUnsafe(flaw.role, flaw.says, flaw.mend);
}

export interface RoleFlaw {
  readonly role: string;
  readonly says: string;
  readonly mend: string;
}

/** What is wrong with the role that the service logs in as, and the remedy. */
export async function findFlawOfLoginRole(database: Database): Promise<RoleFlaw | undefined> {
  // It runs in this process as a superuser, inaccessible to others: each transaction switches roles.
  if (database.engine === 'embedded') return undefined;
  const role = await findLoginRole(database);
  const flaw = flawOf(role);
  return flaw && { role: role.name, ...flaw };
}

function flawOf(role: LoginRole): Omit<RoleFlaw, 'role'> | undefined {
  if (role.is_superuser) {
    return {
      says: 'it is a superuser, whom row-level security does not bind',
      mend: 'Create a role that is not a superuser.',
    };
  }
  if (role.bypasses_rls) {
    return {
      says: 'it has BYPASSRLS, so row-level security does not bind it',
      mend: `As a superuser: ALTER ROLE ${role.name} NOBYPASSRLS.`,
    };
  }
  if (role.inherits.length === 0) return undefined;
  return {
    says: `it inherits the privileges of ${role.inherits.join(', ')}, so it sees tenants before it has entered one`,
    mend: `As a superuser: ALTER ROLE ${role.name} NOINHERIT; and from PostgreSQL 16 on GRANT ${role.inherits.join(', ')} TO ${role.name} WITH INHERIT FALSE.`,
  };
}
