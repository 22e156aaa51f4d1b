import type { Delivery } from '@keywright/sdk';
import { Id } from '../../parts/id.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';

type Attempt = Delivery['last_attempts'][number];

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'brass',
  delivered: 'ok',
  failed: 'bad',
};
export const DELIVERY_WORDS = {
  pending: 'delivery.pending',
  delivered: 'delivery.delivered',
  failed: 'delivery.failed',
} as const;

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const { say } = useTexts();
  return <State word={say(DELIVERY_WORDS[status])} tone={TONES[status]} />;
}

/** Shows what happened to a delivery since the event. */
export function DeliveryCourse({ delivery }: { readonly delivery: Delivery }) {
  const { say } = useTexts();
  const { event_id: event, status, last_attempts: attempts } = delivery;
  return (
    <ol className="course">
      <li>
        <strong>{say('event')}</strong> <Id id={event} canCopy />
        <Time at={delivery.created_at} isWhole />
      </li>
      {attempts.map((attempt, index) => (
        <li key={attempt.at}>
          <AttemptLine attempt={attempt} isLast={index === attempts.length - 1} />
        </li>
      ))}
      <li>
        <DeliveryState status={status} />
        {delivery.next_attempt_at !== null && (
          <span>
            {say('nextAttempt')}: <Time at={delivery.next_attempt_at} isWhole />
          </span>
        )}
      </li>
    </ol>
  );
}

/** The response to the last attempt is shown below, where there is more room. */
function AttemptLine({ attempt, isLast }: { readonly attempt: Attempt; readonly isLast: boolean }) {
  const { say, number } = useTexts();
  const { at, status, reason, body, duration_ms: took } = attempt;
  return (
    <>
      <strong>
        {say('attempt')}: <bdi>{status ?? reason ?? say('none')}</bdi>
      </strong>
      <Time at={at} isWhole />
      {took !== null && <span>{say('tookMs', { ms: number(took) })}</span>}
      {!isLast && body !== null && body !== '' && <bdi className="mono muted">{body}</bdi>}
    </>
  );
}
