import { Card } from '../../parts/card.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Creation } from '../shared/creation.tsx';
import { factsOfCreation, PROVIDER_TYPES, type ProviderType, REGISTRIES } from './kinds.ts';

/** Users can log in with the provider once it was tested. */
const INACTIVE = { is_active: false };

/** Asks first for the kind, then for what that kind needs. */
export function ProviderCreation() {
  const { say } = useTexts();
  const { search } = useView();
  const type = PROVIDER_TYPES.find((providerType) => providerType === search['type']);
  if (!type) return <Kinds />;
  return (
    <Creation
      key={type}
      route="providers.create"
      facts={factsOfCreation(type)}
      fixed={{ type, ...INACTIVE }}
      title={say('providerCreateOf', { name: say(`provider.${type}`) })}
      about={<Guide type={type} />}
      from={{ to: '/providers', title: say('providers') }}
      nameOf={({ name }) => name}
      to={({ id }) => `/providers/${id}`}
    />
  );
}

function Kinds() {
  const { say } = useTexts();
  return (
    <Page
      title={say('providerCreate')}
      about={say('providerKindHint')}
      from={{ to: '/providers', title: say('providers') }}
    >
      <Card title={say('kind')}>
        <ul className="kinds">
          {PROVIDER_TYPES.map((providerType) => (
            <li key={providerType}>
              <Place to="/providers/new" search={{ type: providerType }}>
                {say(`provider.${providerType}`)}
              </Place>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

/** Explains what to do at the provider first. */
function Guide({ type }: { readonly type: ProviderType }) {
  const { say } = useTexts();
  const registry = REGISTRIES[type];
  return (
    <ol className="guide">
      <li>
        {say(`guide.${type}`)}{' '}
        {registry && (
          <a href={registry} target="_blank" rel="noreferrer">
            {new URL(registry).host}
          </a>
        )}
      </li>
      <li>{say('guideFields')}</li>
      <li>{say('guideCallback')}</li>
      <li>{say('guideTest')}</li>
    </ol>
  );
}
