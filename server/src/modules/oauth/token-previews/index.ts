export { tokenPreviewsModule } from './module.ts';
