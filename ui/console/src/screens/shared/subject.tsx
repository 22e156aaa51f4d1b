import { use } from 'react';
import { Avatar } from '../../parts/avatar.tsx';
import { Id } from '../../parts/id.tsx';
import { Place } from '../../parts/place.tsx';
import { UserName, UserNames } from '../../parts/user-name.tsx';

const SCREENS: Readonly<Record<string, string>> = { user: 'users', service: 'agents' };

interface Props {
  readonly id: string;
  /** Whether an avatar is in front of the name, if the name is known. */
  readonly hasFace?: boolean;
}

/** Shows a user or an agent by ID. Other subjects have no screen. */
export function Subject({ id, hasFace = false }: Props) {
  const name = use(UserNames).get(id);
  const screen = SCREENS[id.split(':', 1)[0] ?? ''];
  if (screen === undefined) return <Id id={id} />;
  const isPerson = hasFace && name !== undefined;
  return (
    <Place to={`/${screen}/${id}`} {...(isPerson && { className: 'who' })}>
      {isPerson && <Avatar id={id} name={name} />}
      <UserName id={id} />
    </Place>
  );
}
