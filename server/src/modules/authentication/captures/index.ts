export { captorOf } from './rules.ts';
export { findCaptors, findCaptorsOf } from './store.ts';
