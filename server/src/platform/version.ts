/** The version of this service, as shown in documents and logs. */
export const VERSION = '0.1.0';
