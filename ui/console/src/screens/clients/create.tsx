import { clientCreate } from '../../generated/facts.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Creation } from '../shared/creation.tsx';
import { DocumentClients } from './documents.tsx';
import {
  APP_KINDS,
  type AppKind,
  factsOfApp,
  REGISTRATIONS,
  type RegisteredKind,
} from './kinds.ts';
import { placeOfClient } from './place.ts';

/** Asks first what the application is, then for what that kind needs. */
export function ClientCreation() {
  const { search } = useView();
  const kind = APP_KINDS.find((appKind) => appKind === search['kind']);
  if (kind === undefined || kind === 'machine') return <Kinds />;
  return kind === 'document' ? <DocumentClients /> : <Registration key={kind} kind={kind} />;
}

function Registration({ kind }: { readonly kind: RegisteredKind }) {
  const { say } = useTexts();
  return (
    <Creation
      route="clients.create"
      facts={factsOfApp(clientCreate, kind)}
      fixed={REGISTRATIONS[kind].fixed}
      title={say('clientCreate')}
      about={
        <>
          <strong>{say(`app.${kind}`)}</strong>
          <br />
          {say(`purpose.${kind}`)}
        </>
      }
      from={{ to: '/clients/new', title: say('appKinds') }}
      nameOf={({ name }) => name}
      to={({ id }) => placeOfClient(id)}
      // A public client has none.
      secretOf={(client) => client.client_secret}
    />
  );
}

const ICONS: Readonly<Record<AppKind, IconName>> = {
  web: 'server',
  spa: 'app-window',
  native: 'smartphone',
  device: 'monitor',
  machine: 'bot',
  document: 'braces',
};

function Kinds() {
  const { say } = useTexts();
  return (
    <Page
      title={say('clientCreate')}
      about={say('clientsEmpty')}
      from={{ to: '/clients', title: say('clients') }}
    >
      <ul className="gallery" aria-label={say('appKinds')}>
        {APP_KINDS.map((appKind) => (
          <Kind key={appKind} kind={appKind} />
        ))}
      </ul>
    </Page>
  );
}

/** A machine is an agent. */
function Kind({ kind }: { readonly kind: AppKind }) {
  const { say } = useTexts();
  const place =
    kind === 'machine' ? { to: '/agents/new' } : { to: '/clients/new', search: { kind } };
  return (
    <li>
      <Place {...place}>
        <Icon name={ICONS[kind]} />
        <span>
          <strong>{say(`app.${kind}`)}</strong>
          <small>{say(`purpose.${kind}`)}</small>
        </span>
      </Place>
    </li>
  );
}
