export { identifiersModule } from './module.ts';
export { createReadUndo, type ReadUndo } from './undo.ts';
