/** The tenant of system administrators, who alone may work on all of them. */
export const HOME = 'org_default';
