export { createReadUndo, type ReadUndo } from './undo.ts';
