export { findLinked } from './upstream-login-store.ts';
export { linkingPageOf } from './upstream-login-rules.ts';
export type { UpstreamLoginService } from './upstream-login-service.ts';
