export { capturedDomains, captorOf } from './rules.ts';
export { findBarredAddress, findCapturedAddress, findCaptors, findCaptorsOf } from './store.ts';
