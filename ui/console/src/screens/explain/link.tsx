import { classesOf } from '../../parts/button.tsx';
import { Place } from '../../parts/place.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

/** The way from a user or an agent to the question what they may do. */
export function ExplainLink({ subject }: { readonly subject: string }) {
  const { say } = useTexts();
  const { can } = useCaller();
  if (!can('read:audit')) return null;
  return (
    <Place to="/explain" search={{ subject }} className={classesOf('plain')}>
      {say('explain')}
    </Place>
  );
}
