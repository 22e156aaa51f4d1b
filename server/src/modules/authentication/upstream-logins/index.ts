export { findLinked } from './upstream-login-store.ts';
export { linkingPageOf } from './upstream-login-rules.ts';
export type { BeginOnPage } from './begin-on-page.ts';
