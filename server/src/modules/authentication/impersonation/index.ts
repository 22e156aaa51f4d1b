export type { ImpersonationService } from './impersonation-service.ts';
