import type { OAuthClient } from '@keywright/sdk';
import { useState } from 'react';
import { Action } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Time } from '../../parts/time.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly client: OAuthClient;
}

/** The secrets of a client: two at a time during a rotation. */
export function ClientSecrets({ client }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [shown, setShown] = useState<string | undefined>();
  const { id, name, secrets } = client;
  return (
    <Card
      title={say('secrets')}
      actions={can('write:clients') && <Creation client={client} onCreated={setShown} />}
    >
      {secrets.length === 0 ? (
        <p className="muted">{say('secretsEmpty')}</p>
      ) : (
        <ul className="lines">
          {secrets.map(({ id: secretId, created_at: at }) => (
            <li key={secretId}>
              <Icon name="key-round" />
              <div className="grows">
                {say('created')} <Time at={at} isWhole />
              </div>
              {can('write:clients') && <Deletion clientId={id} secretId={secretId} at={at} />}
            </li>
          ))}
        </ul>
      )}
      {shown !== undefined && (
        <Secret
          title={say('secretOf', { name })}
          secret={shown}
          fileName={`${name}.txt`}
          onStored={() => setShown(undefined)}
        />
      )}
    </Card>
  );
}

function Creation({ client, onCreated }: Props & { readonly onCreated: (secret: string) => void }) {
  const { say } = useTexts();
  return (
    <Action
      route="clients.create_secret"
      input={{ params: { client_id: client.id } }}
      verb={say('secretCreate')}
      title={say('secretCreateTitle')}
      done={say('secretCreated')}
      then={({ client_secret: secret }) => onCreated(secret)}
      isBad={false}
    >
      <p>{say('secretCreateHint')}</p>
    </Action>
  );
}

interface DeletionProps {
  readonly clientId: string;
  readonly secretId: string;
  readonly at: string;
}

function Deletion({ clientId, secretId, at }: DeletionProps) {
  const { say } = useTexts();
  return (
    <Action
      route="clients.delete_secret"
      input={{ params: { client_id: clientId, secret_id: secretId } }}
      icon="trash-2"
      verb={say('delete')}
      title={say('secretDeleteTitle')}
      done={say('secretDeleted')}
      isSmall
    >
      <p>{say('secretDeleteHint')}</p>
      <p className="muted">
        {say('created')} <Time at={at} isWhole />
      </p>
    </Action>
  );
}
