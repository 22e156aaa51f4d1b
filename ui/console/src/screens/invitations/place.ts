/** Where the list is, below the tenant. */
export const INVITATIONS = '/invitations';
