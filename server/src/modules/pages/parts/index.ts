export { bindParts, partsModule } from './module.ts';
