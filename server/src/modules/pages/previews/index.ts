export { previewsModule } from './module.ts';
