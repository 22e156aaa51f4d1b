import type { Tenant } from '@keywright/sdk';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { call } from '../../api/call.ts';
import type { Problem } from '../../api/problem.ts';
import { useCall } from '../../api/queries.ts';
import type { AnswerOf, InputOf } from '../../api/routes.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import type { Body } from '../../parts/form/values.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useSettled } from '../../parts/settled.ts';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { Resolved } from '../shared/resolved.tsx';
import { PreviewedTokens } from './previewed-tokens.tsx';

const ROUTE = 'tokens.preview';
const CLIENTS = { query: { limit: 100 } };

type Input = InputOf<typeof ROUTE>;

interface Props {
  readonly record: Tenant;
  readonly draft: Body;
}

/** Shows the contents of a user's tokens with the claims in the form. The URL contains the question. */
export function TokenPreview({ record, draft }: Props) {
  const { say } = useTexts();
  const tenant = useTenant();
  const { can } = useCaller();
  const { search } = useView();
  const { user = '', client = '' } = search;
  const isReader = can('read:users') && can('read:roles') && can('read:tenant');
  // Users of another tenant are known only inside it.
  if (record.id !== tenant || !isReader) return null;
  return (
    <Card title={say('tokenPreview')}>
      <div className="stack">
        <p className="muted">{say('tokenPreviewHint')}</p>
        <Question key={`${user} ${client}`} />
        {user !== '' && (
          <Resolved text={user}>
            {(id) => <Answer user={id} client={client} draft={draft} />}
          </Resolved>
        )}
      </div>
    </Card>
  );
}

function Question() {
  const { say } = useTexts();
  const { search, go } = useView();
  const { can } = useCaller();
  const isReader = can('read:clients');
  const clients = useCall(useTenant(), 'clients.list', CLIENTS, isReader);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    go({ user: textOf('user'), client: textOf('client') });
  };
  return (
    <>
      <form className="filters" onSubmit={submit}>
        <label>
          {say('userIdOrAddress')}
          <input
            className="input mono"
            dir="ltr"
            type="search"
            name="user"
            required
            defaultValue={search['user'] ?? ''}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        {isReader && <ClientChoice query={clients} chosen={search['client'] ?? ''} />}
        <Button type="submit">{say('tokenPreviewShow')}</Button>
      </form>
      {clients.error && (
        <ProblemNote
          problem={clients.error}
          route="clients.list"
          onRetry={() => void clients.refetch()}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  readonly query: UseQueryResult<AnswerOf<'clients.list'>, Problem>;
  readonly chosen: string;
}

function ClientChoice({ query: { data, isLoading }, chosen }: ChoiceProps) {
  const { say } = useTexts();
  const clients = data?.items ?? [];
  const isListed = chosen === '' || clients.some(({ id }) => id === chosen);
  return (
    <label>
      {say('application')}
      {/* Gets another key once the clients are loaded, because only then is the chosen one among the options. */}
      <select
        key={clients.length}
        className="select"
        name="client"
        defaultValue={chosen}
        aria-busy={isLoading}
      >
        <option value="">{say('tokenPreviewDirect')}</option>
        {!isListed && <option value={chosen}>{chosen}</option>}
        {clients.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface AnswerProps {
  readonly user: string;
  readonly client: string;
  readonly draft: Body;
}

function Answer({ user, client, draft }: AnswerProps) {
  const edited = (Object(draft['config']) as Body)['custom_claims'];
  // Null resets the claims to the default: none.
  const claims = edited === null ? {} : edited;
  const input = {
    body: {
      user_id: user,
      ...(client !== '' && { client_id: client }),
      ...(claims !== undefined && { custom_claims: claims }),
    },
  } as Input;
  const query = usePreviewedTokens(input);
  return (
    <>
      <Loaded query={query} route={ROUTE} rows={12}>
        {(preview) => <PreviewedTokens preview={preview} />}
      </Loaded>
      <ApiCall route={ROUTE} input={input} />
    </>
  );
}

/** Fetches the tokens once typing has paused. The previous response remains until then. */
function usePreviewedTokens(input: Input): UseQueryResult<AnswerOf<typeof ROUTE>, Problem> {
  const tenant = useTenant();
  const settled = useSettled(input);
  return useQuery<AnswerOf<typeof ROUTE>, Problem>({
    queryKey: [tenant, ROUTE, settled],
    queryFn: ({ signal }) => call(tenant, ROUTE, settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
