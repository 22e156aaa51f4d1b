export { type Command, findCommand } from './commands.ts';
export { examine } from './doctor.ts';
export { describeFailure, exitCodeOf, OperatorError } from './failures.ts';
export type { Operator } from './operator.ts';
