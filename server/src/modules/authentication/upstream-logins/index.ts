export { findLinked } from './store.ts';
export { linkingPageOf } from './rules.ts';
export type { BeginOnPage } from './begin-on-page.ts';
