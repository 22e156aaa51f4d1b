import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { Icon } from '../icon.tsx';
import { Popover } from '../popover.tsx';
import { Skeleton } from '../skeleton.tsx';
import type { Filter } from './column.ts';
import { useWordOf } from './options.ts';

const FilterValue = lazy(async () => ({
  default: (await import('./filter-value.tsx')).FilterValue,
}));

interface Props {
  readonly filters: readonly Filter[];
  /** Those that have a chip when they are set */
  readonly shown: readonly Filter[];
}

/** The filters that are set, each with its value, and a button that sets another one. */
export function FilterChips({ filters, shown }: Props) {
  const { say } = useTexts();
  const { search } = useView();
  return (
    <>
      {shown
        .filter(({ name }) => search[name])
        .map((filter) => (
          <Chip key={filter.name} filter={filter} value={search[filter.name] ?? ''} />
        ))}
      <Popover word={say('filterAdd')} icon="list-filter" className="button filter-add">
        {(close) => <NewFilter filters={filters} onDone={close} />}
      </Popover>
    </>
  );
}

function Chip({ filter, value }: { readonly filter: Filter; readonly value: string }) {
  const { say } = useTexts();
  const { filter: change } = useView();
  const label = say(filter.label);
  const word = useWordOf(filter, value);
  return (
    <span className="filter-chip" role="group" aria-label={label}>
      <span>{label}</span>
      <Popover word={word} label={`${label}: ${word}`} className="value">
        {(close) => <Value filter={filter} onDone={close} />}
      </Popover>
      <button
        type="button"
        aria-label={say('removeChosen', { name: label })}
        onClick={() => change({ [filter.name]: '' })}
      >
        <Icon name="x" />
      </button>
    </span>
  );
}

interface NewProps extends Pick<Props, 'filters'> {
  readonly onDone: () => void;
}

/** First the property, then its value. */
function NewFilter({ filters, onDone }: NewProps) {
  const { say } = useTexts();
  const [chosen, choose] = useState(filters.length === 1 ? filters[0] : undefined);
  if (chosen) return <Value filter={chosen} onDone={onDone} />;
  return (
    <ul className="properties">
      {filters.map((filter) => (
        <li key={filter.name}>
          <button type="button" onClick={() => choose(filter)}>
            {say(filter.label)}
            <Icon name="chevron-right" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Value({ filter, onDone }: { readonly filter: Filter; readonly onDone: () => void }) {
  const { search, filter: change } = useView();
  const choose = (value: string) => {
    change({ [filter.name]: value });
    onDone();
  };
  return (
    <Suspense fallback={<Skeleton rows={3} />}>
      <FilterValue filter={filter} value={search[filter.name] ?? ''} onChoose={choose} />
    </Suspense>
  );
}
