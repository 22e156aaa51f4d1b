import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { Definition } from './definition.ts';
import type { JobVerdict } from './jobs.ts';

/** How the end of jobs of one kind is told. */
interface Told<Row> {
  readonly metric: string;
  readonly help: string;
  /** Logged where a job ends in vain: nothing that is secret. */
  readonly fieldsOf: (job: Row) => Readonly<Record<string, string>>;
  readonly message: string;
}

interface Dependencies {
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The same jobs, each attempt of which is counted by its outcome; those that end in vain are logged. */
export function counted<Row, Key extends string>(
  definition: Definition<Row, JobVerdict, Key>,
  { metric, help, fieldsOf, message }: Told<Row>,
  { log, metrics }: Dependencies,
): Definition<Row, JobVerdict, Key> {
  const count = metrics.counter(metric, help, ['outcome']);
  return {
    ...definition,
    async attempt(job) {
      const verdict = await definition.attempt(job);
      const { outcome, reason } = verdict;
      count({ outcome });
      if (outcome === 'failed' || outcome === 'expired') {
        log.warn({ ...fieldsOf(job), outcome, reason }, message);
      }
      return verdict;
    },
  };
}
