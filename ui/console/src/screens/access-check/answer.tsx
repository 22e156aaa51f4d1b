import type { Explanation } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import type { InputOf } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Card } from '../../parts/card.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { Subject } from '../shared/subject.tsx';
import { chainOf, type Link, type LinkState, type Question } from './chain.ts';

const STATES: Readonly<Record<LinkState, readonly [word: TextKey, tone: Tone]>> = {
  holds: ['explainHolds', 'ok'],
  refuses: ['explainRefuses', 'bad'],
  open: ['explainOpen', 'plain'],
};

/** Shows the decision, and the chain that led to it. */
export function Answer({ question }: { readonly question: Question }) {
  const { say } = useTexts();
  const { subject, scope, workspace } = question;
  const body = { subject, scope, ...(workspace !== '' && { workspace_id: workspace }) };
  const input = { body } as InputOf<'access.explain'>;
  const query = useCall(useTenant(), 'access.explain', input);
  return (
    <>
      <Loaded query={query} route="access.explain" rows={4}>
        {(explanation) => (
          <Card
            title={scope}
            actions={
              <State
                word={say(explanation.allowed ? 'explainAllowed' : 'explainRefused')}
                tone={explanation.allowed ? 'ok' : 'bad'}
              />
            }
          >
            <ol className="chain" aria-label={say('explain')}>
              {chainOf(question, explanation).map((link) => (
                <ChainLink key={link.kind} link={link} />
              ))}
            </ol>
          </Card>
        )}
      </Loaded>
      <ApiCall route="access.explain" input={input} />
    </>
  );
}

function ChainLink({ link }: { readonly link: Link }) {
  const { say } = useTexts();
  const [word, tone] = STATES[link.state];
  return (
    <li data-state={link.state}>
      <div className="chain-head">
        <What link={link} />
        <State word={say(word)} tone={tone} />
      </div>
      {link.reasons.map(({ code, detail, name, reason, at }) => (
        <p key={code}>
          <span lang="en" dir="auto">
            {detail}
          </span>{' '}
          {name !== undefined && <Id id={name} />} {reason !== undefined && <bdi>{reason}</bdi>}{' '}
          {at !== undefined && <Time at={at} />} <bdi className="mono muted">{code}</bdi>
        </p>
      ))}
      {link.kind === 'grant' &&
        link.removals.map((removal) => <Removed key={removal.scope} {...removal} />)}
    </li>
  );
}

function What({ link }: { readonly link: Link }) {
  const { say } = useTexts();
  switch (link.kind) {
    case 'subject':
      return (
        <span>
          {say(link.id.startsWith('service:') ? 'link.agent' : 'link.user')}{' '}
          <Subject id={link.id} />
        </span>
      );
    case 'workspace':
      return (
        <span>
          {say('link.workspace')}{' '}
          <Place to={`/workspaces/${link.id}`}>
            <Id id={link.id} />
          </Place>
        </span>
      );
    case 'grant':
      return <Grants grants={link.grants} />;
    case 'scope':
      return (
        <span>
          {say('link.scope')} <bdi className="mono">{link.scope}</bdi>
        </span>
      );
  }
}

function Grants({ grants }: Pick<Explanation, 'grants'>) {
  const { say, name } = useTexts();
  if (grants.length === 0) return <span>{say('link.nothing')}</span>;
  return (
    <ul className="chipless">
      {grants.map(({ kind, name: id, covered_by: scope }) => (
        <li key={`${kind} ${id}`}>
          {kind === 'role' ? (
            <>
              {say('link.role')}{' '}
              <Place to={`/roles/${id}`}>
                <bdi>{id}</bdi>
              </Place>
            </>
          ) : (
            <>
              {kind === 'agent' ? say('link.agent') : name(kind)} <Subject id={id} />
            </>
          )}{' '}
          <span className="muted">{say('explainBy', { scope })}</span>
        </li>
      ))}
    </ul>
  );
}

/** Shows who removed the scope, how, and when. */
function Removed({ scope, change }: Explanation['removals'][number]) {
  const { say } = useTexts();
  const { action, at, by, target } = change;
  return (
    <p>
      {say('explainRemoved')} <bdi className="mono">{scope}</bdi> ·{' '}
      <bdi className="mono">{action}</bdi> {target.name !== null && <Id id={target.name} />} ·{' '}
      {by.sub !== null && <Subject id={by.sub} />} · <Time at={at} />
    </p>
  );
}
