/** The workspace that contains every user of the tenant. It cannot be left or deleted. */
export const DEFAULT_WORKSPACE = 'ws_default';
