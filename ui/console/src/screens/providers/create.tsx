import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCall } from '../../api/queries.ts';
import { BrandMark } from '../../parts/brand-mark.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { ProviderKinds } from './gallery.tsx';
import {
  factsOfCreation,
  isPublicService,
  PROVIDER_TYPES,
  type ProviderType,
  REGISTRATIONS,
  REGISTRIES,
} from './kinds.ts';
import { SetupSteps } from './steps.tsx';

/** Asks for the kind, then leads through the registration at the provider, its credentials, and a test. */
export function ProviderCreation() {
  const { say } = useTexts();
  const { search } = useView();
  const type = PROVIDER_TYPES.find((providerType) => providerType === search['type']);
  const from = { to: '/providers', title: say('providers') };
  if (!type) {
    return (
      <Page title={say('providerCreate')} about={say('providerKindHint')} from={from}>
        <ProviderKinds />
      </Page>
    );
  }
  const isRegistered = search['step'] === '2';
  const name = say(`provider.${type}`);
  return (
    <Page
      title={say('providerCreateOf', { name })}
      avatar={
        <span className="brand-tile">
          <BrandMark of={type} />
        </span>
      }
      from={from}
    >
      <div className="stack narrow" key={type}>
        <SetupSteps current={isRegistered ? 'stepCredentials' : 'stepRegister'} />
        <Prepared type={type} isRegistered={isRegistered} />
      </div>
    </Page>
  );
}

interface Props {
  readonly type: ProviderType;
}

/** The URL names the prepared ID, so that the callback URL remains the same when the page is loaded again. */
function Prepared({ type, isRegistered }: Props & { readonly isRegistered: boolean }) {
  const { search, filter } = useView();
  const query = useCall(useTenant(), 'providers.prepare', {});
  const { id: named } = search;
  const preparedId = query.data?.id;
  useEffect(() => {
    if (named === undefined && preparedId !== undefined) filter({ id: preparedId });
  });
  return (
    <Loaded query={query} route="providers.prepare" rows={5}>
      {({ id, callback_url: callback }) =>
        isRegistered ? (
          <Credentials type={type} id={named ?? id} />
        ) : (
          <Registration type={type} callback={callback.replace(id, () => named ?? id)} />
        )
      }
    </Loaded>
  );
}

/** What to do at the provider first. */
function Registration({ type, callback }: Props & { readonly callback: string }) {
  const { say } = useTexts();
  const { go } = useView();
  const { field, issued } = REGISTRATIONS[type];
  const registry = REGISTRIES[type];
  return (
    <Card title={say('registerAt', { name: say(`provider.${type}`) })}>
      <div className="stack">
        <ol className="guide">
          <li>
            {say(`guide.${type}`)}{' '}
            {registry && (
              <a href={registry} target="_blank" rel="noreferrer">
                {new URL(registry).host} <Icon name="external-link" />
              </a>
            )}
          </li>
          <li>
            {say('guidePaste', { field })}
            <span className="copied">
              <bdi className="mono">{callback}</bdi>
              <Copy text={callback} of={say('callbackUrl')} />
            </span>
          </li>
          <li>{say('guideIssued', { issued: issued.join(', ') })}</li>
        </ol>
        <div className="actions">
          <Button kind="solid" onClick={() => go({ step: '2' })}>
            {say('continue')}
          </Button>
        </div>
      </div>
    </Card>
  );
}

/** Saves the provider, which people can use after a test sign-in. */
function Credentials({ type, id }: Props & { readonly id: string }) {
  const { say } = useTexts();
  const { go } = useView();
  const tenant = useTenant();
  const navigate = useNavigate();
  const name = say(`provider.${type}`);
  const facts = factsOfCreation(type);
  const fixed = { id, type, is_active: false, ...(isPublicService(type) && { name }) };
  // The provider redirects to the console of the tenant, where an operator inside it has no session.
  const [place, search] = isInside ? [id, {}] : [`${id}/test`, { start: '1' }];
  return (
    <Card title={say('credentialsOf', { name })}>
      <ContractForm
        route="providers.create"
        facts={facts}
        fixed={fixed}
        submit={say(isInside ? 'save' : 'saveAndTest')}
        cancel={say('back')}
        onCancel={() => go({ step: '' })}
        onDone={() =>
          void navigate({ to: `/t/${tenant}/providers/${place}`, search: { ...search } })
        }
      />
    </Card>
  );
}
