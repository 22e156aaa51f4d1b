import { classesOf } from '../../parts/button.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly scope: string;
  readonly to: string;
  readonly title: TextKey;
  readonly kind?: 'plain' | 'solid';
  readonly icon?: IconName;
}

/** A link to create a record, for callers who are allowed to. */
export function CreateLink({ scope, to, title, kind = 'solid', icon = 'plus' }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can(scope)) return null;
  return (
    <Place to={to} className={classesOf(kind)} creates={kind === 'solid'}>
      <Icon name={icon} />
      <span className="word">{say(title)}</span>
    </Place>
  );
}
