import type { ListMeta } from '@keywright/sdk';
import { useTexts } from '../../texts/texts.tsx';
import { nextPage, PAGE_SIZES, pageNumberOf, previousPage } from '../../url/search.ts';
import { useView } from '../../url/view.ts';
import { Button } from '../button.tsx';

interface Props {
  readonly meta: ListMeta;
  /** The number of rows on this page. */
  readonly shown: number;
}

/** Shows the position of a page in its list, and links to the other pages. */
export function Pager({ meta, shown }: Props) {
  const { say } = useTexts();
  const { search, go, filter } = useView();
  const { total, next_cursor: next, limit } = meta;
  const page = pageNumberOf(search, meta.page);
  const from = (page - 1) * limit + 1;
  const values = { from, to: from + shown - 1, total };
  const range = shown === 1 ? 'rangeOne' : 'range';
  return (
    <div className="pager">
      <p aria-live="polite">
        {shown > 0 && say(meta.total_is_estimate ? 'rangeEstimate' : range, values)}
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
