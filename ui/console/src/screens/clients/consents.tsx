import type { Consent } from '@keywright/sdk';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { ConsentEnd } from '../shared/consent-end.tsx';
import { Subject } from '../shared/subject.tsx';

const COLUMNS: readonly Column<Consent>[] = [
  {
    title: 'user',
    isPerson: true,
    cell: ({ user_id: id }) => <Subject id={id} hasFace />,
  },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={6} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The users who have consented to a client. */
export function ClientConsents({ clientId }: { readonly clientId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="consents.list"
      label={say('allowedBy')}
      columns={COLUMNS}
      usersIn={({ user_id: id }) => [id]}
      keyOf={({ id }) => id}
      actions={{
        nameOf: ({ user_id: id }) => id,
        items: (consent) => <ConsentEnd consent={consent} />,
      }}
      fixed={{ client_id: clientId }}
      guide="add-login"
      empty={<p>{say('allowedByEmpty')}</p>}
    />
  );
}
