import type { ListMeta } from '@keywright/sdk';
import { useTexts } from '../../texts/texts.tsx';
import { nextPage, PAGE_SIZES, pageNumberOf, previousPage } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { Button } from '../button.tsx';

/** Shows the position of a page in its list, and links to the other pages. */
export function Pager({ meta }: { readonly meta: ListMeta }) {
  const { say } = useTexts();
  const { search, go, filter } = useView();
  const { total, next_cursor: next } = meta;
  const page = pageNumberOf(search, meta.page);
  const count = meta.total_is_estimate ? 'countEstimate' : 'count';
  return (
    <div className="pager">
      <p aria-live="polite">
        {say(count, { count: total })}
        {(page > 1 || next !== undefined) && ` · ${say('pageNumber', { page })}`}
      </p>
      <div className="end">
        {total > Number(PAGE_SIZES[0]) && (
          <label>
            {say('pageSize')}{' '}
            <select
              className="select"
              value={search['limit'] ?? PAGE_SIZES[0]}
              onChange={(event) => filter({ limit: event.target.value })}
            >
              {PAGE_SIZES.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </select>
          </label>
        )}
        {page > 1 && <Button onClick={() => go(previousPage(page))}>{say('previous')}</Button>}
        {next !== undefined && (
          <Button onClick={() => go(nextPage(next, page))}>{say('next')}</Button>
        )}
      </div>
    </div>
  );
}
