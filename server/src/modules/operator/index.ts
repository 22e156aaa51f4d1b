export { type Command, findCommand } from './commands.ts';
export { examine } from './doctor.ts';
export { describeFailure, OperatorError } from './failures.ts';
export { requireReachable } from './inspection-store.ts';
export type { Operator } from './operator.ts';
