export { type Command, findCommand } from './commands.ts';
export { examine } from './doctor.ts';
export { describeFailure, exitCodeOf, type Operator, OperatorError } from './operator.ts';
