import { reasonText } from '../../platform/coded-reason.ts';
import type { Core } from '../module.ts';
import type { Definition } from './definition.ts';
import type { JobVerdict } from './jobs.ts';

/** How the ends of jobs of one kind are counted and logged. */
interface Report<Row> {
  readonly metric: string;
  readonly help: string;
  /** Fields logged when a job fails; never secrets. */
  readonly fieldsOf: (job: Row) => Readonly<Record<string, string>>;
  readonly message: string;
}

/** The same jobs, with each attempt counted by its outcome, and failed jobs logged. */
export function counted<Row, Key extends string>(
  definition: Definition<Row, JobVerdict, Key>,
  { metric, help, fieldsOf, message }: Report<Row>,
  { log, metrics }: Pick<Core, 'log' | 'metrics'>,
): Definition<Row, JobVerdict, Key> {
  const count = metrics.counter(metric, help, ['outcome']);
  return {
    ...definition,
    async attempt(job) {
      const verdict = await definition.attempt(job);
      const { outcome, reason } = verdict;
      count({ outcome });
      if (outcome === 'failed' || outcome === 'expired') {
        log.warn({ ...fieldsOf(job), outcome, reason: reason && reasonText(reason) }, message);
      }
      return verdict;
    },
  };
}
