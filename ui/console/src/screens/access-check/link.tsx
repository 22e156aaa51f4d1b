import { classesOf } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** Links a user or an agent to the question of what they are allowed to do. */
export function ExplainLink({ subject }: { readonly subject: string }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('read:audit')) return null;
  return (
    <Place to="/access-check" search={{ subject }} className={classesOf('plain')}>
      <Icon name="route" />
      <span className="word">{say('explain')}</span>
    </Place>
  );
}
