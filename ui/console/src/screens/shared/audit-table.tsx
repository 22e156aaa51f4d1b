import type { AuditEntry } from '@keywright/sdk';
import { State, type Tone } from '../../parts/state.tsx';
import type { Column, Filter } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { UserName } from '../../parts/user-name.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { EntryDetails } from './audit-entry.tsx';

const TONES: Readonly<Record<AuditEntry['outcome'], Tone>> = {
  success: 'ok',
  failure: 'bad',
  denied: 'bad',
};

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'action', cell: ({ action }) => <What action={action} /> },
  { title: 'outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  { title: 'actor', cell: ({ actor }) => <Who actor={actor} /> },
  {
    title: 'target',
    cell: ({ target: { kind, id } }) => (id === null ? <Word name={kind} /> : <UserName id={id} />),
  },
  { title: 'when', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'proof', cell: (entry) => <Link entry={entry} /> },
  { title: 'tools', cell: (entry) => <EntryDetails entry={entry} /> },
];

const HASH_SHOWN = 8;

interface Props {
  readonly filters?: readonly Filter[];
  readonly fixed?: { readonly target: string };
}

export function AuditTable({ filters = [], fixed }: Props) {
  const { say } = useTexts();
  return (
    <Table
      route="audit.list"
      icon="scroll-text"
      label={say('audit')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      usersIn={({ actor, target }) => [actor.id, actor.on_behalf_of, target.id]}
      filters={filters}
      {...(fixed && { fixed })}
      empty={<p>{say('auditEmpty')}</p>}
    />
  );
}

function Outcome({ outcome }: { readonly outcome: AuditEntry['outcome'] }) {
  const { say } = useTexts();
  return <State word={say(`outcome.${outcome}`)} tone={TONES[outcome]} />;
}

/** Shows the position in the chain, and the start of the hash. */
function Link({ entry: { position, hash } }: { readonly entry: AuditEntry }) {
  const { say, number } = useTexts();
  if (position === null || hash === null) {
    return <span className="muted">{say('notSealed')}</span>;
  }
  return (
    <>
      {number(position)}{' '}
      <bdi className="mono muted" title={hash}>
        {hash.slice(0, HASH_SHOWN)}
      </bdi>
    </>
  );
}

/** Shows an action, which can break after its dot. */
function What({ action }: Pick<AuditEntry, 'action'>) {
  const [record, ...verb] = action.split(/(?<=\.)/);
  return (
    <bdi className="mono">
      {record}
      <wbr />
      {verb.join('')}
    </bdi>
  );
}

function Word({ name }: { readonly name: string }) {
  return useTexts().name(name);
}

/** Shows who did it, and on whose behalf. */
function Who({ actor: { kind, id, on_behalf_of: principal } }: Pick<AuditEntry, 'actor'>) {
  const { say } = useTexts();
  return (
    <>
      {id === null ? <Word name={kind} /> : <UserName id={id} />}
      {principal !== null && (
        <span className="muted">
          {' '}
          {say('onBehalfOf')} <UserName id={principal} />
        </span>
      )}
    </>
  );
}
