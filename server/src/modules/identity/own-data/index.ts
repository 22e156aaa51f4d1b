export { ownDataModule } from './module.ts';
