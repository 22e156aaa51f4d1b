export { userImportModule } from './module.ts';
