/** The tenant of system administrators, who alone can work across tenants. */
export const HOME = 'org_default';
