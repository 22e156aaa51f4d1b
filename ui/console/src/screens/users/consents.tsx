import type { Consent } from '@keywright/sdk';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { placeOfClient } from '../clients/place.ts';
import { ConsentEnd } from '../shared/consent-end.tsx';

const COLUMNS: readonly Column<Consent>[] = [
  {
    title: 'application',
    cell: ({ client_id: id, client_name: name }) => (
      <Place to={placeOfClient(id)}>
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'scopes', cell: ({ scopes }) => <Scopes scopes={scopes} most={6} /> },
  { title: 'created', cell: ({ created_at: at }) => <Time at={at} /> },
  { title: 'tools', cell: (consent) => <ConsentEnd consent={consent} /> },
];

/** The applications that a user has consented to. */
export function UserConsents({ userId }: { readonly userId: string }) {
  const { say } = useTexts();
  return (
    <Table
      route="consents.list"
      label={say('consents')}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      fixed={{ user_id: userId }}
      guide="account-page"
      empty={<p>{say('consentsEmpty')}</p>}
    />
  );
}
