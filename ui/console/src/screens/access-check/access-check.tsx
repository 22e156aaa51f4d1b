import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import type { Workspace } from '@keywright/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { ItemOf, RouteId } from '../../api/routes.ts';
import { Button } from '../../parts/button.tsx';
import { SubjectPicker } from '../../parts/form/subject-picker.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { Search } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { Resolved } from '../shared/resolved.tsx';
import { Answer } from './answer.tsx';

/** Shows whether a subject is allowed to do something, and why. The URL contains the question. */
export function AccessCheck() {
  const { say } = useTexts();
  const { search } = useView();
  const { subject = '', action = 'read', resource = '', workspace = '' } = search;
  const isComplete = subject !== '' && resource !== '';
  return (
    <Page title={say('explain')} about={say('explainHint')}>
      <Question key={JSON.stringify(search)} />
      {isComplete && (
        <Resolved text={subject}>
          {(id) => <Answer question={{ subject: id, scope: `${action}:${resource}`, workspace }} />}
        </Resolved>
      )}
    </Page>
  );
}

const LISTED = { query: { limit: 100 } };

function Question() {
  const { say } = useTexts();
  const { can } = useCaller();
  const tenant = useTenant();
  const apis = useCall(tenant, 'resources.list', LISTED, can('read:clients'));
  const workspaces = useCall(tenant, 'workspaces.list', LISTED, can('read:workspaces'));
  const { search, go } = useView();
  const ids = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go(typedIn(new FormData(event.currentTarget)));
  };
  const isLoading = apis.isLoading || workspaces.isLoading;
  return (
    <>
      <form className="filters question" onSubmit={submit} aria-busy={isLoading}>
        <label htmlFor={`${ids}-subject`}>
          {say('explainWhom')}
          <SubjectPicker name="subject" id={`${ids}-subject`} value={search['subject'] ?? ''} />
        </label>
        <label>
          {say('action')}
          <select className="select" name="action" defaultValue={search['action'] ?? 'read'}>
            {ACTIONS.map((action) => (
              <option key={action} value={action}>
                {say(`verb.${action}`)}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say('resource')}
          <Line name="resource" isRequired list={`${ids}-resources`} />
          <Resources id={`${ids}-resources`} apis={apis.data?.items ?? []} />
        </label>
        <label>
          <span>
            {say('workspace')} {say('optional')}
          </span>
          <Workspaces items={workspaces.data?.items ?? []} />
        </label>
        <Button type="submit" kind="solid">
          {say('explainAsk')}
        </Button>
      </form>
      <Failure query={apis} route="resources.list" />
      <Failure query={workspaces} route="workspaces.list" />
    </>
  );
}

interface FailureProps {
  readonly query: UseQueryResult<unknown, Problem>;
  readonly route: RouteId;
}

/** Why a field has no choices. */
function Failure({ query: { error, refetch }, route }: FailureProps) {
  if (!error) return null;
  return <ProblemNote problem={error} route={route} onRetry={() => void refetch()} />;
}

interface ResourcesProps {
  readonly id: string;
  readonly apis: readonly ItemOf<'resources.list'>[];
}

/** The resources of the service, and those of the tenant's own APIs. */
function Resources({ id, apis }: ResourcesProps) {
  const scopes = apis.flatMap((api) => api.scopes.map(({ name }) => name));
  const theirs = scopes.flatMap((scope) => scope.split(':', 2)[1] ?? []);
  return (
    <datalist id={id}>
      {[...new Set([...RESOURCES, ...theirs])].map((resource) => (
        <option key={resource} value={resource} />
      ))}
    </datalist>
  );
}

function Workspaces({ items }: { readonly items: readonly Workspace[] }) {
  const { say } = useTexts();
  const { search } = useView();
  const { workspace = '' } = search;
  const isListed = workspace === '' || items.some(({ id }) => id === workspace);
  return (
    <select className="select" name="workspace" key={items.length} defaultValue={workspace}>
      <option value="">{say('none')}</option>
      {!isListed && <option value={workspace}>{workspace}</option>}
      {items.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

const FIELDS = ['subject', 'action', 'resource', 'workspace'];

function typedIn(form: FormData): Search {
  const typed = FIELDS.map((name) => {
    const value = form.get(name);
    return [name, typeof value === 'string' ? value.trim() : ''] as const;
  });
  return Object.fromEntries(typed);
}

interface LineProps {
  readonly name: string;
  readonly isRequired?: boolean;
  readonly list?: string;
}

function Line({ name, isRequired = false, list }: LineProps) {
  const { search } = useView();
  return (
    <input
      className="input mono"
      dir="ltr"
      type="search"
      name={name}
      required={isRequired}
      list={list}
      defaultValue={search[name] ?? ''}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
