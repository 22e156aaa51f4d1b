export { needsKey } from './bound-to.ts';
export { readClient } from './client-proof.ts';
export type { Identified, Identify } from './identify.ts';
export type { ClientRequest } from './request.ts';
export type { FindClientKey } from './identification.ts';
export { addressesOf } from './addresses.ts';
