export { capturedDomains, captorOf } from './rules.ts';
export { findBarredAddress, findCaptors, findCaptorsOf } from './store.ts';
