export type { UndoService } from './undo-service.ts';
