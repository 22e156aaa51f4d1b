import { ACTIONS } from '@keywright/contract/scopes';
import type { AuditEntry, Explanation } from '@keywright/sdk';
import type { ReactNode } from 'react';
import { useCall } from '../../api/queries.ts';
import type { InputOf } from '../../api/routes.ts';
import { useRecordNames } from '../../api/users.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Card } from '../../parts/card.tsx';
import { Loaded, Loading } from '../../parts/loaded.tsx';
import { Place } from '../../parts/place.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { Time } from '../../parts/time.tsx';
import { UserName, UserNames } from '../../parts/user-name.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { SentenceText } from '../shared/sentences/sentence-line.tsx';
import { idsIn, sentenceOfEntry } from '../shared/sentences/sentence.ts';
import { Subject } from '../shared/subject.tsx';
import { chainOf, type Link, type LinkState, type Question } from './chain.ts';
import { Remedy } from './remedy.tsx';

type Change = Explanation['removals'][number]['change'];

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
          <Named question={question} explanation={explanation}>
            <Card
              title={`${say(`verb.${actionOf(scope)}`)} · ${scope.split(':', 2)[1] ?? ''}`}
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
              {!explanation.allowed && <Remedy question={question} />}
            </Card>
          </Named>
        )}
      </Loaded>
      <ApiCall route="access.explain" input={input} />
    </>
  );
}

function actionOf(scope: string): (typeof ACTIONS)[number] {
  return ACTIONS.find((action) => scope.startsWith(`${action}:`)) ?? 'read';
}

interface NamedProps {
  readonly question: Question;
  readonly explanation: Explanation;
  readonly children: ReactNode;
}

/** Names the records in the explanation. */
function Named({ question, explanation, children }: NamedProps) {
  const { can } = useCaller();
  const { grants, reasons, removals } = explanation;
  const ids = [
    question.subject,
    question.workspace,
    ...grants.map(({ name }) => name),
    ...reasons.map(({ name }) => name ?? null),
    ...removals.flatMap(({ change }) => idsIn(sentenceOfEntry(entryOf(change)))),
  ];
  const { names, isPending } = useRecordNames(ids, can);
  if (isPending) return <Loading rows={4} />;
  return <UserNames value={names}>{children}</UserNames>;
}

/** The change in the form of the audit log. */
function entryOf({ action, at, by, target, details }: Change): AuditEntry {
  return {
    id: '',
    tenant_id: '',
    created_at: at,
    actor: { kind: by.kind, id: by.sub, on_behalf_of: by.on_behalf_of, credential: null },
    action,
    target: { kind: target.kind, id: target.name },
    outcome: 'success',
    address: null,
    request_id: null,
    count: 1,
    details,
    position: null,
    previous_hash: null,
    hash: null,
  };
}

function ChainLink({ link }: { readonly link: Link }) {
  const { say, find } = useTexts();
  const [word, tone] = STATES[link.state];
  return (
    <li data-state={link.state}>
      <div className="chain-head">
        <What link={link} />
        <State word={say(word)} tone={tone} />
      </div>
      {link.reasons.map(({ code, name, reason, at }) => (
        <p key={code}>
          {find(`why.${code}`) ?? say('why.other')}
          {name !== undefined && (
            <>
              {' '}
              <UserName id={name} />
            </>
          )}
          {reason !== undefined && (
            <>
              {' · '}
              <bdi>{reason}</bdi>
            </>
          )}
          {at !== undefined && (
            <>
              {' · '}
              <Time at={at} />
            </>
          )}
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
            <UserName id={link.id} />
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
function Removed({ change }: Explanation['removals'][number]) {
  const { say } = useTexts();
  return (
    <p>
      {say('explainRemoved')} <SentenceText sentence={sentenceOfEntry(entryOf(change))} />
      {' · '}
      <Time at={change.at} />
    </p>
  );
}
