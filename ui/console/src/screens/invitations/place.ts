/** Path of the list, below the tenant. */
export const INVITATIONS = '/invitations';
