import type { EventRecord } from '@keywright/contract/events';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { EVENT_TYPES } from '../../generated/choices.ts';
import { Button } from '../../parts/button.tsx';
import { Json } from '../../parts/json.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import type { Filter } from '../../parts/table/column.ts';
import { Filters } from '../../parts/table/filters.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { useTail } from './use-tail.ts';

const EventSchema = lazy(async () => ({ default: (await import('./schema.tsx')).EventSchema }));

const FILTERS: readonly Filter[] = [
  { name: 'type', label: 'eventType', choices: EVENT_TYPES, words: 'raw' },
];

export function EventTail() {
  const { say } = useTexts();
  const { search, filter } = useView();
  const isPaused = search['paused'] === '1';
  const type = search['type'] ?? '';
  const tail = useTail(useTenant(), type, isPaused);
  const { events, state, problem } = tail;
  return (
    <Page
      title={say('liveEvents')}
      about={say('eventsHint')}
      actions={
        <>
          <State word={say(`tail.${state}`)} tone={state === 'live' ? 'ok' : 'plain'} />
          <Button onClick={() => filter({ paused: isPaused ? '' : '1' })}>
            {say(isPaused ? 'goOn' : 'pause')}
          </Button>
        </>
      }
    >
      <Filters filters={FILTERS} />
      {problem ? (
        <ProblemNote problem={problem} route="events.stream" onRetry={tail.tryAgain} />
      ) : (
        <div role="log" aria-label={say('liveEvents')} aria-busy={state === 'connecting'}>
          <ul className="tail">
            {events.map((event) => (
              <Event key={event.id} event={event} />
            ))}
          </ul>
        </div>
      )}
      {!problem && events.length === 0 && (
        <div className="stack">
          <p className="muted">{say('tailEmpty')}</p>
          {type !== '' && (
            <Awaited>
              <EventSchema type={type} />
            </Awaited>
          )}
        </div>
      )}
    </Page>
  );
}

/** Shows the event and, next to it, what it means. */
function Event({ event }: { readonly event: EventRecord }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <bdi className="mono">{event.type}</bdi> <Time at={event.created_at} isWhole />
        </summary>
        {isOpen && (
          <div className="event">
            <Json value={event} label={event.type} />
            <Awaited>
              <EventSchema type={event.type} event={event} />
            </Awaited>
          </div>
        )}
      </details>
    </li>
  );
}

function Awaited({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<Skeleton rows={8} />}>{children}</Suspense>;
}
