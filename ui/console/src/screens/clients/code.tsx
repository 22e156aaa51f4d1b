import type { OAuthClient } from '@keywright/sdk';
import { useIssuer } from '../../api/issuer.ts';
import { Card } from '../../parts/card.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Select } from '../../parts/form/select.tsx';
import { Id } from '../../parts/id.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { type Snippet, snippetsOf } from './snippets/snippets.ts';

/** Approximate number of lines of the code, until it is loaded. */
const ROWS = 16;

/** Shows the code that the application needs, with the values of this client. */
export function ClientCode({ client }: { readonly client: OAuthClient }) {
  const { say } = useTexts();
  const { data: issuer, error, refetch } = useIssuer(useTenant());
  if (error) return <ProblemNote problem={error} onRetry={() => void refetch()} />;
  return (
    <Card title={say('clientCode')}>
      {issuer === undefined ? (
        <Skeleton rows={ROWS} />
      ) : (
        <div className="stack">
          <Facts
            rows={[
              [say('issuer'), <Copied key="issuer" text={issuer} />],
              [say('clientId'), <Id key="id" id={client.id} canCopy />],
            ]}
          />
          <Code snippets={snippetsOf(client, issuer)} />
        </div>
      )}
    </Card>
  );
}

function Copied({ text }: { readonly text: string }) {
  return (
    <span className="id">
      <bdi className="mono">{text}</bdi>
      <Copy text={text} of={text} />
    </span>
  );
}

function Code({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const { say } = useTexts();
  const { search, go } = useView();
  const shown = snippets.find(({ id }) => id === search['for']) ?? snippets[0];
  if (!shown) return null;
  const title = say(`snippet.${shown.id}`);
  return (
    <>
      <div className="choices">
        <Select
          label={say('snippetFor')}
          value={shown.id}
          choices={snippets.map(({ id }) => [id, say(`snippet.${id}`)])}
          onChoose={(id) => go({ for: id })}
        />
      </div>
      <Notes snippet={shown} />
      <div className="boxed" dir="ltr">
        <pre className="json whole" tabIndex={0} role="region" aria-label={title}>
          {shown.text}
        </pre>
        <Copy text={shown.text} of={title} />
      </div>
    </>
  );
}

function Notes({ snippet: { isFitting, packages, unregistered } }: { readonly snippet: Snippet }) {
  const { say } = useTexts();
  return (
    <>
      {!isFitting && <p className="muted">{say('snippetUnfit')}</p>}
      {packages !== '' && (
        <p>
          <span className="muted">{say('snippetInstall')}</span>{' '}
          <bdi className="mono">{packages}</bdi>
        </p>
      )}
      {unregistered !== undefined && (
        <p>
          <span className="muted">{say('snippetUnregistered')}</span>{' '}
          <bdi className="mono">{unregistered}</bdi>
        </p>
      )}
    </>
  );
}
