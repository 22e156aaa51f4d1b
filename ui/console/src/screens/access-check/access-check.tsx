import { ACTIONS, RESOURCES } from '@keywright/contract/scopes';
import { type FormEvent, useId } from 'react';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
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

function Question() {
  const { say } = useTexts();
  const { go } = useView();
  const ids = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    go(typedIn(new FormData(event.currentTarget)));
  };
  return (
    <form className="filters" onSubmit={submit}>
      <label>
        {say('explainWhom')}
        <Line name="subject" isRequired />
      </label>
      <label>
        {say('action')}
        <Line name="action" isRequired usual="read" list={`${ids}-actions`} />
        <datalist id={`${ids}-actions`}>
          {ACTIONS.map((action) => (
            <option key={action} value={action} />
          ))}
        </datalist>
      </label>
      <label>
        {say('resource')}
        <Line name="resource" isRequired list={`${ids}-resources`} />
        <datalist id={`${ids}-resources`}>
          {RESOURCES.map((resource) => (
            <option key={resource} value={resource} />
          ))}
        </datalist>
      </label>
      <label>
        <span>
          {say('workspace')} {say('optional')}
        </span>
        <Line name="workspace" />
      </label>
      <Button type="submit" kind="solid">
        {say('explainAsk')}
      </Button>
    </form>
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
  readonly usual?: string;
}

function Line({ name, isRequired = false, list, usual = '' }: LineProps) {
  const { search } = useView();
  return (
    <input
      className="input mono"
      dir="ltr"
      type="search"
      name={name}
      required={isRequired}
      list={list}
      defaultValue={search[name] ?? usual}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
