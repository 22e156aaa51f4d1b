import type { IdentityProvider } from '@keywright/sdk';
import { useList } from '../../api/queries.ts';
import { BrandMark } from '../../parts/brand-mark.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { listQueryOf } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { CreateLink } from '../shared/create-link.tsx';
import { ProviderGallery } from './gallery.tsx';

const COLUMNS: readonly Column<IdentityProvider>[] = [
  {
    title: 'name',
    cell: ({ id, name, type }) => (
      <Place to={`/providers/${id}`} className="who">
        <BrandMark of={type} />
        <bdi>{name}</bdi>
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'kind', cell: ({ type }) => <Kind type={type} /> },
  { title: 'issuer', cell: ({ issuer }) => <bdi>{issuer}</bdi> },
  { title: 'domains', cell: ({ domains }) => <Scopes scopes={domains} most={2} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

export function ProviderList() {
  const { say } = useTexts();
  const { can } = useCaller();
  const { search } = useView();
  // The same query as the table's, so that both share one request.
  const list = useList(useTenant(), 'providers.list', { query: listQueryOf(search, ['sort']) });
  const isEmpty = can('write:logins') && list.data?.meta.total === 0;
  return (
    <Page
      title={say('providers')}
      about={say('providersHint')}
      actions={
        !isEmpty && <CreateLink scope="write:logins" to="/providers/new" title="providerCreate" />
      }
    >
      <div className="stack">
        {!isEmpty && (
          <Table
            route="providers.list"
            icon="log-in"
            label={say('providers')}
            columns={COLUMNS}
            keyOf={({ id }) => id}
            actions={{ nameOf: ({ name }) => name }}
            emptyTitle={say('providersEmptyTitle')}
            start={
              <CreateLink
                scope="write:logins"
                to="/providers/new"
                title="providerCreate"
                kind="plain"
              />
            }
            guide="log-in-with-google"
            empty={<p>{say('providersEmpty')}</p>}
          />
        )}
        {can('write:logins') && !list.isPending && <ProviderGallery />}
      </div>
    </Page>
  );
}

function Kind({ type }: Pick<IdentityProvider, 'type'>) {
  return useTexts().say(`provider.${type}`);
}
