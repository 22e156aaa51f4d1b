import { classesOf } from '../../parts/button.tsx';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly scope: string;
  readonly to: string;
  readonly title: TextKey;
  readonly kind?: 'plain' | 'solid';
}

/** A link to create a record, for callers who are allowed to. */
export function CreateLink({ scope, to, title, kind = 'solid' }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can(scope)) return null;
  return (
    <Place to={to} className={classesOf(kind)} creates={kind === 'solid'}>
      {say(title)}
    </Place>
  );
}
