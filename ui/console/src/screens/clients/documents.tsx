import { useCall } from '../../api/queries.ts';
import { tenantConfig } from '../../generated/facts.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { DOCUMENT_SETTINGS } from './kinds.ts';

/** Clients without a registration: their ID is the URL of a document, which the tenant can allow. */
export function DocumentClients() {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {({ config }) => (
        <Page
          title={say('app.document')}
          about={say('purpose.document')}
          from={{ to: '/clients/new', title: say('appKinds') }}
        >
          <div className="stack">
            <ChangeCard
              route="tenants.update"
              scope="write:logins"
              title={say('documentsAdmitted')}
              facts={tenantConfig}
              fields={DOCUMENT_SETTINGS}
              params={{ tenant_id: tenant }}
              present={config}
              part="config"
            />
            <p>
              {say('documentsElse')}{' '}
              <Place to="/clients/registration-tokens">{say('registrationTokens')}</Place>
            </p>
          </div>
        </Page>
      )}
    </Loaded>
  );
}
