import type { ClientBranding, Tenant } from '@keywright/sdk';
import { useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { InputOf } from '../../api/routes.ts';
import { useCall } from '../../api/queries.ts';
import { clientBranding, tenantBranding } from '../../generated/facts.ts';
import type { FormSection } from '../../parts/form/props.ts';
import { Select } from '../../parts/form/select.tsx';
import type { Body } from '../../parts/form/values.ts';
import { Loaded, Loading } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePreview } from '../../parts/preview.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { type Texts, useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { PreviewCard } from '../shared/preview-card.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { ContrastCard } from './contrast.tsx';
import { ClientImages, TenantImages, useLogos } from './images.tsx';

const NEWEST = { query: { limit: 100 } };

/** The fields of each tab. A form shows those that it has. */
const SECTIONS = [
  ['lookColors', ['primary_color', 'secondary_color', 'color_scheme', 'corner', 'font']],
  [
    'lookLayout',
    [
      'layout',
      'background',
      'background_color',
      'headline',
      'subline',
      'logo_position',
      'logo_height',
      'heading_align',
    ],
  ],
  ['lookSignIn', ['provider_position', 'provider_style', 'identifier_first']],
  ['lookCompany', ['company_name', 'support_email', 'terms_url', 'privacy_url']],
  ['lookUrls', ['logo_url', 'logo_dark_url', 'icon_url', 'background_url']],
] as const;

/** The branding of all applications, or of the one in the URL. */
export function Branding() {
  const { say } = useTexts();
  const { can } = useCaller();
  const { client = '' } = useView().search;
  return (
    <Page title={say('branding')} about={say('brandingHint')}>
      <div className="stack">
        {can('read:clients') && <ApplicationChoice chosen={client} />}
        {client === '' ? <OfTenant /> : <OfClient key={client} clientId={client} />}
      </div>
    </Page>
  );
}

/** Selects the application whose branding is shown; the URL contains it. */
function ApplicationChoice({ chosen }: { readonly chosen: string }) {
  const { say } = useTexts();
  const { filter } = useView();
  const tenant = useTenant();
  const newest = useCall(tenant, 'clients.list', NEWEST);
  const clients = newest.data?.items ?? [];
  const isListed = chosen === '' || clients.some(({ id }) => id === chosen);
  const isOlder = !newest.isLoading && !isListed;
  const older = useCall(tenant, 'clients.get', { params: { client_id: chosen } }, isOlder);
  const nameOfOlder = older.data?.name ?? (older.error ? chosen : say('loading'));
  return (
    <div className="choices of-application">
      <Select
        label={say('brandingOf')}
        value={chosen}
        choices={[
          ['', say('brandingOfAll')],
          ...(isListed ? [] : [[chosen, nameOfOlder] as const]),
          ...clients.map(({ id, name }) => [id, name] as const),
        ]}
        onChoose={(client) => filter({ client })}
      />
    </div>
  );
}

function OfTenant() {
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  // The images are above the settings, so both appear together. Another try removes no settings that are not saved.
  const logos = useLogos();
  if (logos.isLoading && logos.errorUpdateCount === 0) return <Loading rows={6} />;
  return (
    <Loaded query={query} route="tenants.get">
      {(record) => <TenantEditor record={record} />}
    </Loaded>
  );
}

function OfClient({ clientId }: { readonly clientId: string }) {
  const query = useCall(useTenant(), 'clients.get_branding', { params: { client_id: clientId } });
  return (
    <Loaded query={query} route="clients.get_branding">
      {(record) => <ClientEditor record={record} />}
    </Loaded>
  );
}

function TenantEditor({ record }: { readonly record: Tenant }) {
  const { say } = useTexts();
  const [draft, setDraft] = useState<Body>({});
  return (
    <div className="with-preview">
      <div className="stack">
        <TenantImages />
        <ChangeCard
          route="tenants.update"
          scope="write:tenant"
          title={say('look')}
          facts={tenantBranding}
          sections={sectionsOf(tenantBranding, say)}
          params={{ tenant_id: record.id }}
          present={record.branding}
          part="branding"
          onDraft={setDraft}
        />
      </div>
      <Shown draft={{ branding: draft['branding'] as Tenant['branding'] }} />
    </div>
  );
}

function ClientEditor({ record }: { readonly record: ClientBranding }) {
  const { say } = useTexts();
  const [draft, setDraft] = useState<Body>({});
  const { client_id: clientId } = record;
  return (
    <div className="with-preview">
      <div className="stack">
        <ClientImages record={record} />
        <ChangeCard
          route="clients.update_branding"
          scope="write:clients"
          title={say('look')}
          facts={clientBranding}
          sections={sectionsOf(clientBranding, say)}
          notes={<p className="muted">{say('brandingOfClientHint')}</p>}
          params={{ client_id: clientId }}
          present={record.settings}
          part="settings"
          onDraft={setDraft}
        />
      </div>
      <Shown
        draft={{
          client_id: clientId,
          client_branding: draft['settings'] as ClientBranding['settings'],
        }}
      />
    </div>
  );
}

interface ShownProps {
  readonly draft: Pick<
    InputOf<'branding.preview'>['body'],
    'branding' | 'client_id' | 'client_branding'
  >;
}

/** The pages with the values of the form. */
function Shown({ draft }: ShownProps) {
  const { locale } = useTexts();
  const view = viewOf(useView().search, locale);
  const { page, locale: language, scheme } = view;
  const preview = usePreview({
    page,
    locale: language,
    ...(scheme !== 'auto' && { color_scheme: scheme }),
    ...draft,
  });
  return (
    <div className="stack shown">
      <PreviewCard preview={preview} view={view} />
      {preview.data && <ContrastCard contrast={preview.data.contrast} />}
    </div>
  );
}

function sectionsOf(facts: readonly FieldFacts[], say: Texts['say']): FormSection[] {
  const names = new Set(facts.map(({ name }) => name));
  return SECTIONS.flatMap(([title, fields]) => {
    const shown = fields.filter((name) => names.has(name));
    return shown.length === 0 ? [] : [{ title: say(title), fields: shown }];
  });
}
