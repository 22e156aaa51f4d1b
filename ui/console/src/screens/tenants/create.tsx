import { slugOf } from '@keywright/contract/slug';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { tenantCreate } from '../../generated/facts.ts';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SetupSteps } from './steps.tsx';

const FIELDS = ['name', 'slug', 'domains'];

/** The first step of a new tenant. The other steps belong to the created tenant. */
export function TenantCreation() {
  const { say } = useTexts();
  const home = useTenant();
  const navigate = useNavigate();
  const toast = useToast();
  const [typed, setTyped] = useState({ name: '', slug: '' });
  const follow = ({ target }: FormEvent<HTMLElement>) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === 'name' || target.name === 'slug') {
      setTyped((before) => ({ ...before, [target.name]: target.value }));
    }
  };
  return (
    <Page
      title={say('tenantCreate')}
      about={say('tenantCreateHint')}
      from={{ to: '/tenants', title: say('tenants') }}
    >
      <div className="card stack narrow" onInput={follow}>
        <SetupSteps current="create" />
        <TenantId typed={typed} />
        <ContractForm
          route="tenants.create"
          facts={tenantCreate}
          fields={FIELDS}
          submit={say('tenantCreate')}
          onDone={({ id, name }) => {
            toast(say('createdNamed', { name }));
            void navigate({ to: `/t/${home}/tenants/${id}/setup` });
          }}
        />
      </div>
    </Page>
  );
}

/** Shows the future tenant ID, as the service forms it. */
function TenantId({ typed: { name, slug } }: { readonly typed: Record<'name' | 'slug', string> }) {
  const { say } = useTexts();
  const part = slug.trim() === '' ? slugOf(name) : slug.trim();
  return (
    <p role="status" className="muted">
      {part === '' ? say('tenantIdNever') : say('tenantIdWillBe')}{' '}
      {part !== '' && <bdi className="mono">{`org_${part}`}</bdi>}
    </p>
  );
}
