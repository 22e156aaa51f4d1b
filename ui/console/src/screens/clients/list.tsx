import type { OAuthClient } from '@keywright/sdk';
import { Page } from '../../parts/page.tsx';
import { Person } from '../../parts/person.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';
import { placeOfClient } from './place.ts';
import { ClientTabs } from './tabs.tsx';

const COLUMNS: readonly Column<OAuthClient>[] = [
  {
    title: 'name',
    isPerson: true,
    cell: ({ id, name }) => (
      <Place to={placeOfClient(id)} className="who">
        <Person id={id} name={name} isSquare />
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'kind', cell: ({ kind }) => <Kind kind={kind} /> },
  { title: 'redirectUris', cell: ({ redirect_uris: uris }) => <Scopes scopes={uris} most={2} /> },
  { title: 'lastUsed', cell: ({ last_used_at: at }) => <Time at={at} /> },
];

export function ClientList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('clients')}
      actions={<CreateLink scope="write:clients" to="/clients/new" title="clientCreate" />}
    >
      <ClientTabs current="" />
      <Table
        route="clients.list"
        icon="app-window"
        label={say('clients')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        search={{ name: 'search', label: 'searchNames' }}
        actions={{ nameOf: ({ name }) => name }}
        emptyTitle={say('clientsEmptyTitle')}
        start={
          <CreateLink scope="write:clients" to="/clients/new" title="clientCreate" kind="plain" />
        }
        guide="add-login"
        empty={<p>{say('clientsEmpty')}</p>}
      />
    </Page>
  );
}

function Kind({ kind }: { readonly kind: OAuthClient['kind'] }) {
  const { say } = useTexts();
  return say(`choice.kind.${kind}`);
}
