import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unanswered } from '../../platform/egress/outcome.ts';
import { EgressError, type EgressReason } from '../../platform/egress/reasons.ts';
import { openLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/telemetry/served-metrics.ts';
import type { Definition } from './definition.ts';
import { counted, type JobVerdict, unansweredOutcome } from './jobs.ts';

interface Letter {
  readonly id: string;
  readonly verdict: JobVerdict['outcome'];
}

test('Job attempts are counted by their outcome, and logged only if the job ends without success', async (t) => {
  const metrics = createMetrics();
  const port = await metrics.listen('127.0.0.1', 0);
  t.after(() => metrics.close());
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const dueAt = new Date();
  const definition = {
    attempt: ({ verdict: outcome }: Letter) =>
      Promise.resolve({ outcome, dueAt, reason: { code: outcome, detail: 'why' } }),
  } as Definition<Letter, JobVerdict>;
  const report = {
    metric: 'keywright_letters_total',
    help: 'Letters.',
    fieldsOf: ({ id }: Letter) => ({ letter: id }),
    message: 'a letter is lost',
  };
  const { attempt } = counted(definition, report, { log, metrics });
  const outcomes = ['done', 'retry', 'retry', 'failed', 'expired', 'released'] as const;
  for (const [index, verdict] of outcomes.entries()) {
    assert.equal((await attempt({ id: `letter ${index}`, verdict })).outcome, verdict);
  }
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  for (const [outcome, count] of [
    ['done', 1],
    ['retry', 2],
    ['failed', 1],
    ['expired', 1],
    ['released', 1],
  ]) {
    assert.ok(text.includes(`keywright_letters_total{outcome="${outcome}"} ${count}\n`), text);
  }
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    logged.map(({ letter, outcome, reason, msg }) => [letter, outcome, reason, msg]),
    [
      ['letter 3', 'failed', 'failed: why', report.message],
      ['letter 4', 'expired', 'expired: why', report.message],
    ],
  );
});

test('A call that the service did not make does not count as an attempt, and every other call without a response is retried', () => {
  const outcomeOf = (code: EgressReason) => unansweredOutcome(unanswered(new EgressError(code)));
  assert.deepEqual(outcomeOf('too_busy'), { outcome: 'released', reason: { code: 'too_busy' } });
  assert.deepEqual(outcomeOf('closed'), { outcome: 'released', reason: { code: 'closed' } });
  assert.deepEqual(outcomeOf('timed_out'), {
    outcome: 'retry',
    reason: { code: 'timed_out', detail: 'The call timed out.' },
  });
  assert.equal(outcomeOf('address_not_allowed').outcome, 'retry');
});
