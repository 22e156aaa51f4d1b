export { addressesOf } from './addresses.ts';
export { tokenEndpointModule } from './module.ts';
