/** The version of this service, as documents and logs tell it. */
export const VERSION = '0.1.0';
