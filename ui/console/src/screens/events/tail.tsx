import type { EventRecord } from '@keywright/contract/events';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useRecordNames } from '../../api/users.ts';
import { EVENT_TYPES } from '../../generated/choices.ts';
import { Button } from '../../parts/button.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Json } from '../../parts/json.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { State } from '../../parts/state.tsx';
import { Bar } from '../../parts/table/bar.tsx';
import type { Filter } from '../../parts/table/column.ts';
import { RowButton } from '../../parts/table/row-button.tsx';
import { Time } from '../../parts/time.tsx';
import { UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { SentenceLine, SentenceText } from '../shared/sentences/sentence-line.tsx';
import { idsIn, sentenceOfEvent } from '../shared/sentences/sentence.ts';
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
      <Bar filters={FILTERS} />
      {problem ? (
        <ProblemNote problem={problem} route="events.stream" onRetry={tail.tryAgain} />
      ) : (
        <div role="log" aria-label={say('liveEvents')} aria-busy={state === 'connecting'}>
          {events.length > 0 && <Feed events={events} />}
        </div>
      )}
      {!problem && events.length === 0 && (
        <div className="stack">
          <Empty icon="radio" docs="/docs/guide/events">
            <p>{say(isPaused ? 'tailPaused' : 'tailEmpty')}</p>
          </Empty>
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

function Feed({ events }: { readonly events: readonly EventRecord[] }) {
  const { can } = useCaller();
  const { names } = useRecordNames(
    events.flatMap((event) => idsIn(sentenceOfEvent(event))),
    can,
  );
  return (
    <UserNames value={names}>
      <ul className="feed card">
        {events.map((event) => (
          <Event key={event.id} event={event} />
        ))}
      </ul>
    </UserNames>
  );
}

/** Shows the sentence of an event. It opens the event with its description. */
function Event({ event }: { readonly event: EventRecord }) {
  const { say } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const sentence = sentenceOfEvent(event);
  return (
    <li data-type={event.type}>
      <RowButton onOpen={() => setOpen(true)}>
        <SentenceLine sentence={sentence} type={event.type} />
      </RowButton>
      <Time at={event.created_at} />
      <Sheet title={say('details')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>
          <SentenceText sentence={sentence} />
        </p>
        <Json value={event} label={event.type} />
        <Awaited>
          <EventSchema type={event.type} event={event} />
        </Awaited>
      </Sheet>
    </li>
  );
}

function Awaited({ children }: { readonly children: ReactNode }) {
  return <Suspense fallback={<Skeleton rows={8} />}>{children}</Suspense>;
}
