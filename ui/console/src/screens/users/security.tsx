import type { User } from '@keywright/sdk';
import { Card } from '../../parts/card.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { Recover } from './actions.tsx';
import { UserFactors } from './factors.tsx';
import { SetPassword } from './set-password.tsx';

/** How a user signs in. */
export function UserSecurity({ user }: { readonly user: User }) {
  const { say, name: nameOf } = useTexts();
  const { can } = useCaller();
  return (
    <div className="stack">
      {can('write:users') && (
        <Card
          title={nameOf('password')}
          about={say('passwordAbout')}
          actions={
            <>
              {user.is_active && <Recover user={user} />}
              <SetPassword user={user} />
            </>
          }
        >
          {null}
        </Card>
      )}
      <UserFactors userId={user.id} />
    </div>
  );
}
