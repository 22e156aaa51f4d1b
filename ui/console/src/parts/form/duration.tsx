import { useState } from 'react';
import { DURATION_UNITS, formatUnit, nameOfUnit, unitOf } from '../../texts/format.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { commonOf, type InputProps } from './control.ts';
import { placeholderOf } from './placeholder.ts';
import { unitMark } from './values.ts';

const DAY_SECONDS = 86_400;

/** A number of seconds, shown in the largest unit that divides it. */
export function Duration(props: InputProps) {
  const { facts, value } = props;
  const { say, locale } = useTexts();
  const { labelOf } = useWords();
  const seconds = typeof value === 'number' ? value : undefined;
  const basis = seconds ?? (typeof facts.byDefault === 'number' ? facts.byDefault : DAY_SECONDS);
  const [, size] = basis === 0 ? (['second', 1] as const) : unitOf(basis);
  const units = DURATION_UNITS.filter(([, unit]) => unit <= (facts.max ?? Infinity));
  return (
    <span className="duration">
      <input
        {...commonOf(props)}
        className="input"
        type="number"
        min={0}
        step="any"
        defaultValue={seconds === undefined ? '' : seconds / size}
        placeholder={placeholderOf(facts, say, locale)}
        autoComplete="off"
      />
      <select
        className="select"
        name={unitMark(facts.name)}
        aria-label={say('unitOf', { name: labelOf(facts) })}
        defaultValue={size}
      >
        {units.map(([unit, unitSize]) => (
          <option key={unit} value={unitSize}>
            {nameOfUnit(locale, unit)}
          </option>
        ))}
      </select>
    </span>
  );
}

const PRESETS = [1, 7, 14, 30, 60, 90, 180, 365];

const CUSTOM = 'custom';

/** A lifetime in days, of a few to choose from, or until a date. */
export function Days(props: InputProps) {
  const { facts, value, id } = props;
  const { say, locale } = useTexts();
  const { min = 1, max = Infinity, example } = facts;
  const [first] = useState(value ?? example);
  const [isCustom, setCustom] = useState(false);
  const days = new Set([...PRESETS, Number(first)].filter((count) => count >= min && count <= max));
  const { name, ...common } = commonOf(props);
  return (
    <span className="duration">
      <select
        {...common}
        {...(!isCustom && { name })}
        className="select"
        defaultValue={Number(first)}
        onChange={({ target }) => setCustom(target.value === CUSTOM)}
      >
        {[...days]
          .toSorted((a, b) => a - b)
          .map((count) => (
            <option key={count} value={count}>
              {formatUnit(locale, count, 'day')}
            </option>
          ))}
        <option value={CUSTOM}>{say('otherDate')}</option>
      </select>
      {isCustom && (
        <EndDate name={name} label={say('expiresOn')} id={`${id}-date`} {...{ min, max }} />
      )}
    </span>
  );
}

interface EndDateProps {
  readonly name: string;
  readonly label: string;
  readonly id: string;
  readonly min: number;
  readonly max: number;
}

/** A date, as the number of days until then. */
function EndDate({ name, label, id, min, max }: EndDateProps) {
  const [today] = useState(() => Date.now());
  const [days, setDays] = useState('');
  const dateIn = (count: number) =>
    new Date(today + count * DAY_SECONDS * 1000).toISOString().slice(0, 10);
  return (
    <>
      <input
        id={id}
        className="input"
        type="date"
        aria-label={label}
        required
        min={dateIn(min)}
        {...(Number.isFinite(max) && { max: dateIn(max) })}
        onChange={({ target }) =>
          setDays(String(Math.ceil((target.valueAsNumber - today) / (DAY_SECONDS * 1000))))
        }
      />
      <input type="hidden" name={name} value={days} />
    </>
  );
}
