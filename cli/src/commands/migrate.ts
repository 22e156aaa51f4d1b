import { operation } from '../command.ts';
import { indented } from '../layout.ts';

interface Result {
  readonly applied: readonly string[];
  readonly before: number;
  readonly functions: number;
}

export const migrate = operation<Result>({
  name: 'migrate',
  summary: 'apply pending database migrations',
  details:
    'Applies and lists the migrations that the database lacks, and replaces database functions that ' +
    'changed. The service does the same when it starts; use this command to do it beforehand.',
  options: {},
  examples: ['keywright migrate'],
  parameters: () => ({}),
  render: ({ applied, before, functions }) =>
    applied.length + functions === 0
      ? `Nothing to do: all ${before} migrations are already applied.`
      : `Applied:\n${indented([...applied, `${functions} functions`].join('\n'))}`,
});
