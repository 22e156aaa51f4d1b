import type { Tenant } from '@keywright/sdk';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { tenantBranding } from '../../generated/facts.ts';
import type { Body } from '../../parts/form/values.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { usePreview } from '../../parts/preview.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { ChangeCard } from '../shared/change-card.tsx';
import { PreviewCard } from '../shared/preview-card.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { ContrastCard } from './contrast.tsx';
import { LogoCard } from './logos.tsx';
import { LogoUpload } from './upload.tsx';

export function Branding() {
  const { say } = useTexts();
  const tenant = useTenant();
  const query = useCall(tenant, 'tenants.get', { params: { tenant_id: tenant } });
  return (
    <Loaded query={query} route="tenants.get" isScreen>
      {(record) => (
        <Page title={say('branding')} about={say('brandingHint')}>
          <Editor record={record} />
        </Page>
      )}
    </Loaded>
  );
}

/** The form, and a preview of the pages with its values. */
function Editor({ record }: { readonly record: Tenant }) {
  const { say, locale } = useTexts();
  const [draft, setDraft] = useState<Body>({});
  const view = viewOf(useView().search, locale);
  const { page, locale: language, scheme } = view;
  const preview = usePreview({
    page,
    locale: language,
    ...(scheme !== 'auto' && { color_scheme: scheme }),
    branding: draft['branding'] as Tenant['branding'],
  });
  return (
    <div className="with-preview">
      <div className="stack">
        <ChangeCard
          route="tenants.update"
          scope="write:tenant"
          title={say('branding')}
          facts={tenantBranding}
          params={{ tenant_id: record.id }}
          present={record.branding}
          part="branding"
          onDraft={setDraft}
        />
        <LogoUpload />
        <LogoCard branding={record.branding} />
      </div>
      <div className="stack shown">
        <PreviewCard preview={preview} view={view} />
        {preview.data && <ContrastCard contrast={preview.data.contrast} />}
      </div>
    </div>
  );
}
