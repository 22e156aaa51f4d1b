export { challengesModule } from './module.ts';
export { CODE_LIMITS, codeSubject, verificationOf } from './rules.ts';
export type { Answered, Challenges } from './service.ts';
