import type { OAuthResource } from '@keywright/sdk';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { CreateLink } from '../shared/create-link.tsx';

const COLUMNS: readonly Column<OAuthResource>[] = [
  {
    title: 'name',
    cell: ({ id, name }) => (
      <Place to={`/resources/${id}`}>
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'resourceUri', cell: ({ uri }) => <bdi>{uri}</bdi> },
  {
    title: 'scopes',
    cell: ({ scopes }) => <Scopes scopes={scopes.map(({ name }) => name)} most={3} />,
  },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

export function ResourceList() {
  const { say } = useTexts();
  return (
    <Page
      title={say('resources')}
      about={say('resourcesHint')}
      actions={<CreateLink scope="write:clients" to="/resources/new" title="resourceCreate" />}
    >
      <Table
        route="resources.list"
        icon="braces"
        label={say('resources')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        actions={{ nameOf: ({ name }) => name }}
        emptyTitle={say('resourcesEmptyTitle')}
        start={
          <CreateLink
            scope="write:clients"
            to="/resources/new"
            title="resourceCreate"
            kind="plain"
          />
        }
        guide="resources"
        empty={<p>{say('resourcesEmpty')}</p>}
      />
    </Page>
  );
}
