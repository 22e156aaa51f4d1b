export type { BearerService } from './bearer-service.ts';
