import type { Tenant } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { tenantBranding } from '../../generated/facts.ts';
import { classesOf } from '../../parts/button.tsx';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { addressOf } from '../../url/inside.ts';
import { useParam, useTenant } from '../../url/params.ts';
import { SetupSteps } from './steps.tsx';

const BRANDING = ['company_name', 'primary_color', 'logo_url'];

/** The steps after the creation of a tenant. Each step can be skipped. */
export function TenantSetup() {
  const { say } = useTexts();
  const id = useParam('id');
  const query = useCall(useTenant(), 'tenants.get', { params: { tenant_id: id } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page
          title={say('setUpNamed', { name: record.name })}
          about={<Id id={record.id} canCopy />}
          from={{ to: '/tenants', title: say('tenants') }}
        >
          <div className="card stack narrow">
            <Branding record={record} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function Branding({ record }: { readonly record: Tenant }) {
  const { say } = useTexts();
  const toast = useToast();
  const next = addressOf(record.id, '/setup/administrator');
  return (
    <>
      <SetupSteps current="branding" />
      <ContractForm
        route="tenants.update"
        facts={tenantBranding}
        fields={BRANDING}
        params={{ tenant_id: record.id }}
        part="branding"
        present={{ ...record.branding }}
        submit={say('save')}
        onDone={() => {
          toast(say('saved'));
          globalThis.location.assign(next);
        }}
      />
      <div>
        <a className={classesOf('plain')} href={next}>
          {say('skipStep')}
        </a>
      </div>
    </>
  );
}
