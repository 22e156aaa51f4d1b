import type { TextKey } from '../texts/locales.ts';
import { useTexts } from '../texts/texts.tsx';
import { Place } from './place.tsx';

interface Props {
  readonly to: string;
  /** The query field of the URL. */
  readonly name: string;
  /** The usual choice is an empty text. */
  readonly choices: readonly { readonly name: string; readonly title: TextKey }[];
  readonly current: string;
}

/** A few choices side by side, such as periods. Each has its own URL. */
export function Segments({ to, name, choices, current }: Props) {
  const { say } = useTexts();
  return (
    <nav aria-label={say('period')}>
      <ul className="segments">
        {choices.map((choice) => (
          <li key={choice.name}>
            <Place
              to={to}
              search={choice.name === '' ? {} : { [name]: choice.name }}
              isCurrent={choice.name === current}
            >
              {say(choice.title)}
            </Place>
          </li>
        ))}
      </ul>
    </nav>
  );
}
