import type { Logo, Tenant } from '@keywright/sdk';
import { useChange, useList } from '../../api/queries.ts';
import { Action } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';

const TONES: Readonly<Record<Logo['status'], Tone>> = {
  pending: 'brass',
  stored: 'ok',
  failed: 'bad',
};

/** The pending fetches of logos, which can finish at any moment. */
const fetchesOf = (logos: readonly Logo[]) =>
  logos.flatMap(({ status }) => (status === 'pending' ? [null] : []));

/** Shows the status of the images that the branding names. */
export function LogoCard({ branding }: Pick<Tenant, 'branding'>) {
  const { say } = useTexts();
  const query = useList(useTenant(), 'branding.list_logos', {}, fetchesOf);
  const isNamed = branding.logo_url !== undefined || branding.logo_dark_url !== undefined;
  return (
    <Card title={say('logos')} actions={isNamed && <Fetch />}>
      <Loaded query={query} route="branding.list_logos" rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{say('logosEmpty')}</p>
          ) : (
            <ul className="stack chipless">
              {items.map((logo) => (
                <LogoState key={logo.kind} logo={logo} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function LogoState({ logo: { kind, url, status, reason, sha256 } }: { readonly logo: Logo }) {
  const { say } = useTexts();
  return (
    <li className="stack">
      <div>
        <State word={say(`logo.${status}`)} tone={TONES[status]} />{' '}
        <strong>{say(`logo.kind.${kind}`)}</strong>
        <div>{url === null ? say('logoUploaded') : <bdi>{url}</bdi>}</div>
        {reason !== null && (
          <p className="error" lang="en" dir="auto">
            {reason}
          </p>
        )}
      </div>
      {sha256 !== null && <LogoImage digest={sha256} name={say(`logo.kind.${kind}`)} />}
      <Deletion kind={kind} />
    </li>
  );
}

function Deletion({ kind }: Pick<Logo, 'kind'>) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('write:tenant')) return null;
  const name = say(`logo.kind.${kind}`);
  return (
    <div>
      <Action
        route="branding.delete_logo"
        input={{ params: { kind } }}
        icon="trash-2"
        verb={say('delete')}
        title={say('deleteTitle', { name })}
        done={say('deleted', { name })}
        isSmall
      >
        <p>{say('logoDeleteHint')}</p>
      </Action>
    </div>
  );
}

/** Shows a logo as the pages load it: with `<img>`, where no image can run scripts. */
function LogoImage({ digest, name }: { readonly digest: string; readonly name: string }) {
  const tenant = useTenant();
  return (
    <img
      className="logo"
      src={`/t/${encodeURIComponent(tenant)}/brand/${digest}`}
      alt={name}
      height={40}
    />
  );
}

function Fetch() {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const fetching = useChange(useTenant(), 'branding.fetch_logos', ({ logos }) => {
    const isStored = logos.every(({ status, reason }) => status === 'stored' && reason === null);
    toast(say(isStored ? 'logosFetched' : 'logosNotFetched'));
  });
  if (!can('write:tenant')) return null;
  return (
    <>
      <Button isSmall disabled={fetching.isPending} onClick={() => fetching.mutate({})}>
        {say('logosFetch')}
      </Button>
      {fetching.error && <ProblemNote problem={fetching.error} route="branding.fetch_logos" />}
    </>
  );
}
