import type { EventRecord } from '@keywright/contract/events';
import type { EventField } from '../../api/event-facts.ts';
import { EVENT_FACTS, EVENT_FIELDS } from '../../generated/event-facts.ts';
import { classesOf } from '../../parts/button.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { ItemTable } from '../../parts/table/items.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { pathsIn, unknownIn } from './fields.ts';

interface Props {
  readonly type: string;
  /** An event of the type, which might lack some fields. */
  readonly event?: EventRecord;
}

/** Shows what the contract specifies about events of a type. It is as old as the page, and the event can be newer. */
export function EventSchema({ type, event }: Props) {
  const { say } = useTexts();
  const facts = Object.hasOwn(EVENT_FACTS, type) ? EVENT_FACTS[type] : undefined;
  if (!facts) return <p className="muted">{say('eventUnknown')}</p>;
  const fields = [...EVENT_FIELDS, ...facts.fields];
  const present = event && pathsIn(event);
  const unknown = present ? unknownIn(present, fields) : [];
  return (
    <section className="stack" aria-label={`${say('eventSchema')} ${type}`}>
      <ItemTable
        label={say('eventSchema')}
        columns={columnsFor(present)}
        items={fields}
        keyOf={({ path }) => path}
      />
      {unknown.length > 0 && (
        <div>
          <p className="muted">{say('fieldsUnknown')}</p>
          <Scopes scopes={unknown} />
        </div>
      )}
      <div>
        <p className="muted">{say('eventScopes')}</p>
        <Scopes scopes={facts.scopes} />
      </div>
      <div className="actions">
        <a
          className={classesOf('plain', true)}
          href={`/reference/event-types#event-${type}`}
          target="_blank"
          rel="noreferrer"
        >
          {say('inReference')}
        </a>
      </div>
    </section>
  );
}

function columnsFor(present: ReadonlySet<string> | undefined): readonly Column<EventField>[] {
  return [
    { title: 'eventField', cell: ({ path }) => <Path path={path} /> },
    { title: 'eventFieldType', cell: ({ type }) => <bdi className="mono">{type}</bdi> },
    {
      title: 'alwaysThere',
      cell: ({ path, optional }) => (
        <Presence isAlways={!optional} isHere={present?.has(path) ?? true} />
      ),
    },
    { title: 'eventValues', cell: ({ choices = [] }) => <Scopes scopes={choices} /> },
  ];
}

/** Shows a path, which can break after its dots. */
function Path({ path }: { readonly path: string }) {
  const parts = path.split(/(?<=\.)/);
  return (
    <bdi className="mono">
      {parts.map((part, place) => (
        <span key={part}>
          {place > 0 && <wbr />}
          {part}
        </span>
      ))}
    </bdi>
  );
}

function Presence({ isAlways, isHere }: { readonly isAlways: boolean; readonly isHere: boolean }) {
  const { say } = useTexts();
  if (isAlways) return say('yes');
  return say(isHere ? 'no' : 'notInThisOne');
}
