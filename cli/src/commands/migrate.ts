import { operation } from '../command.ts';
import { indented } from '../layout.ts';

interface Result {
  readonly applied: readonly string[];
  readonly before: number;
  readonly functions: number;
}

export const migrate = operation<Result>({
  name: 'migrate',
  summary: 'brings the database up to date',
  details:
    'Applies the migrations that the database lacks, and says which; functions of the database are ' +
    'replaced where they changed. The service does the same when it starts; this is for those who want it done before.',
  options: {},
  examples: ['keywright migrate'],
  given: () => ({}),
  render: ({ applied, before, functions }) =>
    applied.length + functions === 0
      ? `Nothing to do: all ${before} migrations were applied before.`
      : `Applied:\n${indented([...applied, `${functions} functions`].join('\n'))}`,
});
