import { type ReactNode, useId, useState } from 'react';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { State, type Tone } from '../../parts/state.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';

interface Props {
  /** Opens the settings in the URL. */
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly about: string;
  readonly state?: readonly [word: string, tone: Tone];
  /** What is missing, with a way to set it up. */
  readonly missing?: ReactNode;
  /** Without it, the card has only settings. */
  readonly turn?: Turn | undefined;
  /** Why a change was refused. */
  readonly problem?: ReactNode;
  /** Rendered when they are opened first. */
  readonly settings: () => ReactNode;
}

interface Turn {
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly onTurn: (isOn: boolean) => void;
}

/** One method: what it is, whether it is on and can work, and its settings, which are folded. */
export function MethodCard({ id, icon, title, about, state, missing, turn, ...rest }: Props) {
  const titleId = useId();
  return (
    <section className="card method" aria-labelledby={titleId}>
      <div className="method-head">
        <span className="sunk">
          <Icon name={icon} />
        </span>
        <div>
          <h2 id={titleId}>{title}</h2>
          <p id={`${titleId}-about`}>{about}</p>
        </div>
        {state && <State word={state[0]} tone={state[1]} />}
        {turn && (
          <input
            type="checkbox"
            role="switch"
            className="switch"
            aria-labelledby={titleId}
            aria-describedby={`${titleId}-about`}
            checked={turn.isOn}
            disabled={turn.isDisabled}
            onChange={({ target }) => turn.onTurn(target.checked)}
          />
        )}
      </div>
      {missing}
      {rest.problem}
      <Folded id={id} title={title} settings={rest.settings} />
    </section>
  );
}

function Folded({ id, title, settings }: Pick<Props, 'id' | 'title' | 'settings'>) {
  const { say } = useTexts();
  const isNamed = useView().search['open'] === id;
  const [wasOpen, setOpen] = useState(isNamed);
  return (
    <details
      className="advanced"
      open={isNamed || undefined}
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary>
        {say('settings')} <span className="unseen">{title}</span>
      </summary>
      {(wasOpen || isNamed) && settings()}
    </details>
  );
}
