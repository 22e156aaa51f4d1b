import { Id } from '../../parts/id.tsx';
import { Place } from '../../parts/place.tsx';
import { UserName } from '../../parts/user-name.tsx';

const SCREENS: Readonly<Record<string, string>> = { user: 'users', service: 'agents' };

/** Shows a user or an agent by ID. Other subjects have no screen. */
export function Subject({ id }: { readonly id: string }) {
  const screen = SCREENS[id.split(':', 1)[0] ?? ''];
  if (screen === undefined) return <Id id={id} />;
  return (
    <Place to={`/${screen}/${id}`}>
      <UserName id={id} />
    </Place>
  );
}
