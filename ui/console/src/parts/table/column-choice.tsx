import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Popover } from '../popover.tsx';
import type { Column } from './column.ts';

/** Returns the columns that are not hidden, according to the URL. The first column contains the name of the row. */
export function useShownColumns<Item>(columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const hidden = useHidden();
  return columns.filter(({ title }, place) => place === 0 || !hidden.includes(title));
}

function useHidden(): readonly string[] {
  return (useView().search['hide'] ?? '').split(',');
}

export function ColumnChoice<Item>({ columns }: { readonly columns: readonly Column<Item>[] }) {
  const { say } = useTexts();
  const { go } = useView();
  const hidden = useHidden().filter((title) => title !== '');
  return (
    <Popover word={say('columnsShown')} icon="columns-3" kind="ghost" isSmall>
      <div>
        {columns.slice(1).map(({ title }) => (
          <label key={title} className="check">
            <input
              type="checkbox"
              checked={!hidden.includes(title)}
              onChange={(event) => {
                const others = hidden.filter((other) => other !== title);
                go({ hide: (event.target.checked ? others : [...others, title]).join(',') });
              }}
            />
            {say(title)}
          </label>
        ))}
      </div>
    </Popover>
  );
}
