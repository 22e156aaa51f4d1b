export type { PushedRequests, PushedUse } from './pushed-requests.ts';
export { isOfPushedRequest } from './reference.ts';
