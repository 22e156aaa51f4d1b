import { CreateLink } from '../shared/create-link.tsx';
import type { Tenant } from '@keywright/sdk';
import { classesOf } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { Person } from '../../parts/person.tsx';
import { Place } from '../../parts/place.tsx';
import { Scopes } from '../../parts/scopes.tsx';
import { ActiveState } from '../../parts/state.tsx';
import type { Column, Filter, View } from '../../parts/table/column.ts';
import { Table } from '../../parts/table/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

const COLUMNS: readonly Column<Tenant>[] = [
  {
    title: 'name',
    isPerson: true,
    cell: ({ id, name }) => (
      <Place to={`/tenants/${id}`} className="who">
        <Person id={id} name={name} about={id} isSquare />
      </Place>
    ),
  },
  { title: 'state', cell: ({ is_active: isActive }) => <ActiveState isActive={isActive} /> },
  { title: 'domains', cell: ({ domains }) => <Scopes scopes={domains} most={2} /> },
  { title: 'created', sort: 'created_at', cell: ({ created_at: at }) => <Time at={at} /> },
];

const FILTERS: readonly Filter[] = [
  {
    name: 'is_active',
    label: 'state',
    choices: ['true', 'false'],
    words: { true: 'active', false: 'inactive' },
  },
];

const SEARCH = { name: 'search', label: 'searchTenants' } as const;

const VIEWS: readonly View[] = [
  { title: 'viewAll', filters: {} },
  { title: 'active', filters: { is_active: 'true' } },
  { title: 'inactive', filters: { is_active: 'false' } },
];

/** All tenants of the installation, for system administrators. */
export function TenantList() {
  const { say } = useTexts();
  const { isSystemAdministrator } = useCaller();
  return (
    <Page
      title={say('tenants')}
      actions={
        isSystemAdministrator && (
          <Place to="/tenants/new" className={classesOf('solid')} creates>
            <Icon name="plus" />
            {say('tenantCreate')}
          </Place>
        )
      }
    >
      <Table
        route="tenants.list"
        icon="building-2"
        label={say('tenants')}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        search={SEARCH}
        filters={FILTERS}
        views={VIEWS}
        actions={{ nameOf: ({ name }) => name }}
        emptyTitle={say('tenantsEmptyTitle')}
        start={
          <CreateLink scope="write:tenants" to="/tenants/new" title="tenantCreate" kind="plain" />
        }
        guide="tenants"
        empty={<p>{say('tenantsEmpty')}</p>}
      />
    </Page>
  );
}
