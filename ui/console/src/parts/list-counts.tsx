import { useCall } from '../api/queries.ts';
import { factsOfRoute, type Input, type InputOf, type ListId } from '../api/routes.ts';
import { useCaller } from '../shell/caller.tsx';
import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';

interface Counted extends Pick<Input, 'params' | 'query'> {
  readonly title: TextKey;
  readonly route: ListId;
}

/** Counts the records in each list that the caller can read, to show what is deleted along with a record. */
export function ListCounts({ lists }: { readonly lists: readonly Counted[] }) {
  const { can } = useCaller();
  const shown = lists.filter(({ route }) => can(factsOfRoute(route).scope ?? ''));
  if (shown.length === 0) return null;
  return (
    <dl className="facts">
      {shown.map((list) => (
        <ListCount key={list.title} list={list} />
      ))}
    </dl>
  );
}

function ListCount({ list: { title, route, params, query } }: { readonly list: Counted }) {
  const { say } = useTexts();
  const input: Input = { ...(params && { params }), query: { ...query, limit: 1 } };
  const { data, error } = useCall(useTenant(), route, input as InputOf<ListId>);
  const { total = 0, total_is_estimate: isEstimate } = data?.meta ?? {};
  return (
    <>
      <dt>{say(title)}</dt>
      <dd aria-busy={!data && !error}>
        {data ? say(isEstimate ? 'countEstimate' : 'count', { count: total }) : '–'}
      </dd>
    </>
  );
}
