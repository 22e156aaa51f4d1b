import type { OAuthClient } from '@keywright/sdk';
import { useState } from 'react';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TypedField } from '../../parts/form/typed-field.tsx';
import { State } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { type Checked, checkRedirectUri, type Difference } from './redirect-check.ts';

interface Props {
  readonly client: OAuthClient;
}

/** Shows whether the service would redirect users to an address. The comparison runs here: nothing is sent. */
export function RedirectCard({ client }: Props) {
  const { say } = useTexts();
  const [typed, setTyped] = useState('');
  return (
    <Card title={say('redirectCheck')}>
      <div className="form">
        <div className="stack narrow">
          <TypedField
            label={say('redirectSent')}
            hint={say('redirectHint')}
            value={typed}
            onType={setTyped}
            control={{
              dir: 'ltr',
              spellCheck: false,
              autoComplete: 'off',
              maxLength: 4096,
              placeholder: client.redirect_uris[0] ?? 'https://app.example.com/callback',
            }}
          />
        </div>
        <div role="status">
          {typed !== '' && <Outcome checked={checkRedirectUri(client, typed)} client={client} />}
        </div>
      </div>
    </Card>
  );
}

function Outcome({ checked, client }: Props & { readonly checked: Checked }) {
  const { say } = useTexts();
  const isAccepted = checked.outcome === 'accepted' || checked.outcome === 'anyPort';
  return (
    <div className="stack">
      <p>
        <State
          word={say(isAccepted ? 'redirectAccepted' : 'redirectRefused')}
          tone={isAccepted ? 'ok' : 'bad'}
        />{' '}
        <span>{say(`redirect.${checked.outcome}`)}</span>
      </p>
      {'nearest' in checked && checked.outcome !== 'accepted' && (
        <p>
          <span className="muted">{say('redirectNearest')}</span>{' '}
          <bdi className="mono">{checked.nearest}</bdi>
        </p>
      )}
      {checked.outcome === 'differs' && (
        <Differences differences={checked.differences} kind={client.kind} />
      )}
    </div>
  );
}

interface DifferencesProps {
  readonly differences: readonly Difference[];
  readonly kind: OAuthClient['kind'];
}

function Differences({ differences, kind }: DifferencesProps) {
  const { say } = useTexts();
  return (
    <Facts
      rows={differences.map(({ reason, sent, registered }) => [
        say(`part.${reason}`),
        <div key={reason}>
          <p>
            <Value text={sent} label={say('redirectYours')} />
            <Value text={registered} label={say('redirectTheirs')} />
          </p>
          {reason === 'port' && kind !== 'native' && (
            <p className="hint muted">{say('redirectPortHint')}</p>
          )}
          {reason === 'fragment' && <p className="hint muted">{say('redirectFragmentHint')}</p>}
        </div>,
      ])}
    />
  );
}

function Value({ text, label }: { readonly text: string; readonly label: string }) {
  const { say } = useTexts();
  return (
    <span className="compared">
      <span className="muted">{label}</span>{' '}
      {text === '' ? (
        say('none')
      ) : (
        // A part of an address can consist of symbols only, which have no direction.
        <bdi className="mono" dir="ltr">
          {text}
        </bdi>
      )}
    </span>
  );
}
