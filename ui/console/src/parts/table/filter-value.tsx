import { Combobox as Base } from '@base-ui/react/combobox';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import { Button } from '../button.tsx';
import { Icon } from '../icon.tsx';
import type { Filter } from './column.ts';
import { localOfMoment, momentOfLocal } from './moment.ts';
import { useOptions } from './options.ts';
import type { Option } from './typed.ts';

interface Props {
  readonly filter: Filter;
  /** Empty: not set */
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

/** Sets the value of a filter: chosen by name if there are names, or else typed. */
export function FilterValue({ filter, value, onChoose }: Props) {
  const [typed, setText] = useState('');
  const text = typed.trim();
  const { options, isPending } = useOptions(filter, filter.of === 'users' ? text : '');
  if (options === undefined && !isPending) return <Typing {...{ filter, value, onChoose }} />;
  const asTyped = filter.isOpen && text !== '' ? [{ value: text, word: text }] : [];
  const all = [...(options ?? []), ...asTyped];
  return <Choosing {...{ filter, options: all, value, onChoose }} onType={setText} />;
}

interface ChoosingProps extends Props {
  readonly options: readonly Option[];
  readonly onType: (text: string) => void;
}

function Choosing({ filter, options, value, onChoose, onType }: ChoosingProps) {
  const { say } = useTexts();
  const isFound = filter.of === 'users';
  return (
    <Base.Root
      inline
      open
      items={options}
      value={options.find((option) => option.value === value) ?? null}
      isItemEqualToValue={(item, other) => item.value === other.value}
      itemToStringLabel={({ word }) => word}
      // The service has searched the users.
      {...(isFound && { filter: null })}
      onInputValueChange={onType}
      onValueChange={(option) => option && onChoose(option.value)}
    >
      <Base.Input className="input" aria-label={say(filter.label)} placeholder={say('search')} />
      <Base.Empty className="nothing">{say('emptyFiltered')}</Base.Empty>
      <Base.List className="choices-list">
        {(option: Option) => (
          <Base.Item key={option.value} value={option}>
            <bdi>{option.word}</bdi>
            <Base.ItemIndicator>
              <Icon name="check" />
            </Base.ItemIndicator>
          </Base.Item>
        )}
      </Base.List>
    </Base.Root>
  );
}

function Typing({ filter, value, onChoose }: Props) {
  const { say } = useTexts();
  const { isMoment = false } = filter;
  const [text, setText] = useState(isMoment ? localOfMoment(value) : value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChoose(isMoment ? momentOfLocal(text) : text.trim());
  };
  return (
    <form className="stack" onSubmit={submit}>
      <label className="field">
        <strong>{say(filter.label)}</strong>
        <input
          className="input"
          type={isMoment ? 'datetime-local' : 'text'}
          value={text}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit" kind="solid">
        {say('filterApply')}
      </Button>
    </form>
  );
}
