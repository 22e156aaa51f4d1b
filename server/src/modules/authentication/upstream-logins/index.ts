export { findLinked } from './linked-user-store.ts';
export { linkingPageOf } from './upstream-login-rules.ts';
export type { UpstreamLoginService } from './upstream-login-service.ts';
