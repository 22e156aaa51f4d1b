import type { Delivery } from '@keywright/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { useCall, useChange } from '../../api/queries.ts';
import type { AnswerOf } from '../../api/routes.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

/** Maximum at a time: a page of a list. */
const MOST = 100;

/** Replays everything after an event, counted first. */
export function ReplayAfter({ delivery }: { readonly delivery: Delivery }) {
  const { say } = useTexts();
  const { webhook_id: webhookId, event_id: after } = delivery;
  return (
    <Action
      route="webhooks.replay"
      input={{ params: { webhook_id: webhookId }, body: { after } }}
      icon="play"
      verb={say('replayAfter')}
      title={say('replayTitle')}
      done={(replay) => replayDone(say, replay)}
      isBad={false}
    >
      <p>{say('replayHint')}</p>
      <Id id={after} />
      <Count webhookId={webhookId} after={after} />
    </Action>
  );
}

interface ReplayProps {
  readonly delivery: Delivery;
  readonly onDone: () => void;
}

/** The same next to the details of a delivery, where the number of events is shown before the button is pressed. */
export function ReplayCounted({ delivery, onDone }: ReplayProps) {
  const { say } = useTexts();
  const toast = useToast();
  const { webhook_id: webhookId, event_id: after } = delivery;
  const { mutate, isPending, error } = useChange(useTenant(), 'webhooks.replay', (replay) => {
    toast(replayDone(say, replay));
    onDone();
  });
  return (
    <section className="stack" aria-label={say('replayAfter')}>
      <p className="muted">{say('replayHint')}</p>
      <Count webhookId={webhookId} after={after} />
      {error && <ProblemNote problem={error} route="webhooks.replay" />}
      <div className="actions">
        <Button
          icon="play"
          disabled={isPending}
          onClick={() => mutate({ params: { webhook_id: webhookId }, body: { after } })}
        >
          {say('replayAfter')}
        </Button>
      </div>
    </section>
  );
}

function replayDone(
  say: Texts['say'],
  { queued, next_after: more }: AnswerOf<'webhooks.replay'>,
): string {
  return `${say('replayed', { count: queued })} ${more === undefined ? '' : say('replayMore')}`.trim();
}

interface CountProps {
  readonly webhookId: string;
  readonly after: string;
}

function Count({ webhookId, after }: CountProps) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'webhooks.replay', {
    params: { webhook_id: webhookId },
    body: { after, dry_run: true },
  });
  return (
    <Loaded query={query} route="webhooks.replay" rows={1}>
      {({ queued, next_after: more }) => (
        <p>
          <strong>{say('replayCount', { count: queued })}</strong>{' '}
          {more !== undefined && say('replayCountMore')}
        </p>
      )}
    </Loaded>
  );
}

/** Retries the deliveries that were given up, newest first. */
export function RetryFailed({ webhookId }: { readonly webhookId: string }) {
  const { say } = useTexts();
  const tenant = useTenant();
  const toast = useToast();
  const queries = useQueryClient();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const retry = async (close: () => void) => {
    setPending(true);
    const { count, problem: found } = await retryEach(tenant, webhookId);
    setProblem(found);
    setPending(false);
    if (!found) close();
    if (!found || count > 0) toast(say('replayed', { count }));
    await queries.invalidateQueries({ queryKey: [tenant] });
  };
  return (
    <Confirm
      verb={say('retryFailed')}
      title={say('retryFailedTitle')}
      isBad={false}
      isPending={isPending}
      problem={problem}
      onOpen={() => setProblem(null)}
      onConfirm={(close) => void retry(close)}
    >
      <p>{say('sendAgainHint')}</p>
      <FailedCount webhookId={webhookId} />
    </Confirm>
  );
}

const failedOf = (webhookId: string) =>
  ({
    params: { webhook_id: webhookId },
    query: { status: 'failed', limit: MOST },
  }) as const;

interface Retried {
  readonly count: number;
  /** Why not more were retried. */
  readonly problem: Problem | null;
}

async function retryEach(tenant: string, webhookId: string): Promise<Retried> {
  let count = 0;
  try {
    const { items } = await call(tenant, 'webhooks.list_deliveries', failedOf(webhookId));
    // One after another, because they go to the same receiver.
    for (const { id } of items) {
      const params = { webhook_id: webhookId, delivery_id: id };
      await call(tenant, 'webhooks.retry_delivery', { params });
      count += 1;
    }
    return { count, problem: null };
  } catch (error) {
    return { count, problem: asProblem(error) };
  }
}

function FailedCount({ webhookId }: { readonly webhookId: string }) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'webhooks.list_deliveries', failedOf(webhookId));
  return (
    <Loaded query={query} route="webhooks.list_deliveries" rows={1}>
      {({ meta: { total } }) => (
        <p>
          <strong>{say('replayCount', { count: total })}</strong>{' '}
          {total > MOST && say('retryFailedMost')}
        </p>
      )}
    </Loaded>
  );
}
