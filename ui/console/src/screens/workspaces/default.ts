/** Every user of the tenant is in it. It cannot be left or deleted. */
export const DEFAULT_WORKSPACE = 'ws_default';
