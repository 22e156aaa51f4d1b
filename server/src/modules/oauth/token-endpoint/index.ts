export { tokenEndpointModule } from './module.ts';
