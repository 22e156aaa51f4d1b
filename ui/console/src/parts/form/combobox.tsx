import { Combobox as Base } from '@base-ui/react/combobox';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.tsx';
import type { FieldFacts } from '../../api/field-facts.ts';
import { classesOf } from '../button.tsx';
import { Icon } from '../icon.tsx';
import type { InputProps } from './control.ts';

interface Props {
  /** The field of the form. */
  readonly name: string;
  readonly choices: readonly string[];
  readonly chosen: readonly string[];
  readonly wordOf: (choice: string) => string;
  /** Below the word, in smaller letters. */
  readonly aboutOf?: ((choice: string) => string | undefined) | undefined;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
}

/** Chooses several of many names. Typing finds them; those that are chosen are shown in the field. */
function Combobox(props: Props) {
  const { name, choices, chosen, wordOf, aboutOf, id, isInvalid, describedBy } = props;
  const { say } = useTexts();
  const [value, setValue] = useState<readonly string[]>(chosen);
  const field = useRef<HTMLDivElement>(null);
  useInputEvent(field, value);
  return (
    <Base.Root
      items={choices}
      multiple
      name={name}
      value={value}
      // Escape closes the list. It does not remove everything.
      onValueChange={(next, { reason }) => reason !== 'escape-key' && setValue(next)}
      itemToStringLabel={wordOf}
    >
      <Base.Chips ref={field} className="input combobox">
        {value.map((choice) => (
          <Base.Chip key={choice} className="tag">
            <bdi>{wordOf(choice)}</bdi>
            <Base.ChipRemove aria-label={say('removeChosen', { name: wordOf(choice) })}>
              <Icon name="x" />
            </Base.ChipRemove>
          </Base.Chip>
        ))}
        <Base.Input id={id} aria-invalid={isInvalid || undefined} aria-describedby={describedBy} />
        <Icon name="chevrons-up-down" />
      </Base.Chips>
      <Names field={field} wordOf={wordOf} aboutOf={aboutOf} />
    </Base.Root>
  );
}

interface SingleProps extends Omit<Props, 'chosen'> {
  readonly chosen: string | undefined;
  readonly isRequired?: boolean;
  /** Called with what is typed, if the service finds the choices. */
  readonly onSearch?: (text: string) => void;
}

/** Chooses one of many names. Typing finds it. */
export function SingleCombobox(props: SingleProps) {
  const { name, choices, chosen, wordOf, aboutOf, id, isInvalid, describedBy } = props;
  const { isRequired = false, onSearch } = props;
  const { say } = useTexts();
  const [value, setValue] = useState<string | null>(chosen ?? null);
  const field = useRef<HTMLDivElement>(null);
  useInputEvent(field, value);
  return (
    <Base.Root
      items={choices}
      name={name}
      value={value}
      {...(onSearch && { filter: null })}
      onValueChange={(next, { reason }) => reason !== 'escape-key' && setValue(next)}
      onInputValueChange={(text, { reason }) => reason === 'input-change' && onSearch?.(text)}
      itemToStringLabel={wordOf}
    >
      <div ref={field} className="input combobox">
        <Base.Input
          id={id}
          required={isRequired}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy}
        />
        {value !== null && !isRequired && (
          <Base.Clear className={classesOf('ghost', true, true)} aria-label={say('clearChoice')}>
            <Icon name="x" />
          </Base.Clear>
        )}
        <Icon name="chevrons-up-down" />
      </div>
      <Names field={field} wordOf={wordOf} aboutOf={aboutOf} />
    </Base.Root>
  );
}

interface NamesProps extends Pick<Props, 'wordOf' | 'aboutOf'> {
  readonly field: RefObject<HTMLElement | null>;
}

function Names({ field, wordOf, aboutOf }: NamesProps) {
  return (
    <Options field={field}>
      {(choice: string) => (
        <Base.Item key={choice} value={choice}>
          <span>
            <bdi>{wordOf(choice)}</bdi>
            {aboutOf?.(choice) && <small>{aboutOf(choice)}</small>}
          </span>
          <Base.ItemIndicator>
            <Icon name="check" />
          </Base.ItemIndicator>
        </Base.Item>
      )}
    </Options>
  );
}

interface OptionsProps<Item> {
  readonly field: RefObject<HTMLElement | null>;
  /** Default: that nothing matches. */
  readonly empty?: string;
  readonly children: (item: Item) => ReactNode;
}

/** The choices below a combobox. */
export function Options<Item>({ field, empty, children }: OptionsProps<Item>) {
  const { say } = useTexts();
  return (
    <Base.Portal>
      <Base.Positioner className="floating" anchor={field} align="start" sideOffset={4}>
        <Base.Popup className="options">
          <Base.Empty className="nothing">{empty ?? say('emptyFiltered')}</Base.Empty>
          <Base.List>{children}</Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** Notifies the form of a choice as of typing, which a hidden field does not. */
function useInputEvent(field: RefObject<HTMLElement | null>, value: unknown): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    field.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [field, value]);
}

/** Whether users have named the choices. There can be many. */
export function isOfNames({ kind, words, isRaw }: FieldFacts): boolean {
  if (kind === 'choice') return isRaw === true;
  return kind === 'choices' && (words !== undefined || isRaw === true);
}

/** The field of a form for such names. */
export function NameField({ facts, value, ...rest }: InputProps) {
  if (facts.kind === 'choice') {
    return (
      <SingleCombobox
        name={facts.name}
        choices={facts.choices ?? []}
        chosen={typeof value === 'string' ? value : undefined}
        wordOf={(choice) => facts.words?.[choice] ?? choice}
        aboutOf={(choice) => facts.about?.[choice]}
        isRequired={facts.required === true}
        {...rest}
      />
    );
  }
  return (
    <Combobox
      name={facts.name}
      choices={facts.choices ?? []}
      chosen={Array.isArray(value) ? value.map(String) : []}
      wordOf={(choice) => facts.words?.[choice] ?? choice}
      aboutOf={(choice) => facts.about?.[choice]}
      {...rest}
    />
  );
}
