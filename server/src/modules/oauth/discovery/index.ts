export { discoveryModule } from './module.ts';
