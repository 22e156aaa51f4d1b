import type { User } from '@keywright/sdk';
import { useChange } from '../../api/queries.ts';
import { nameOfUser } from '../../api/users.ts';
import { Action } from '../../parts/action.tsx';
import { Avatar } from '../../parts/avatar.tsx';
import { Card } from '../../parts/card.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { ImageUpload, isRefusedImage } from '../shared/image-upload.tsx';
import { MAX_PICTURE_BYTES } from '../shared/image-limits.ts';

/** The picture of a user, which administrators can replace and remove. */
export function PictureCard({ user }: { readonly user: User }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  const params = { user_id: user.id };
  const change = useChange(useTenant(), 'users.put_picture', () => toast(say('pictureStored')));
  if (!can('write:users')) return null;
  return (
    <Card title={say('picture')} actions={user.picture !== null && <Removal user={user} />}>
      <ImageUpload
        name={say('picture')}
        accept=".png,.jpg,.jpeg,.webp"
        maxBytes={MAX_PICTURE_BYTES}
        hint="pictureHint"
        refusal="pictureRefused"
        problem={change.error}
        isSet={user.picture !== null}
        onChoose={(image) => change.mutate({ params, body: { image } })}
      >
        <Avatar id={user.id} name={nameOfUser(user)} picture={user.picture} />
      </ImageUpload>
      {change.error && !isRefusedImage(change.error) && (
        <ProblemNote problem={change.error} route="users.put_picture" />
      )}
    </Card>
  );
}

function Removal({ user }: { readonly user: User }) {
  const { say } = useTexts();
  return (
    <Action
      route="users.delete_picture"
      input={{ params: { user_id: user.id } }}
      verb={say('removeFactor')}
      title={say('pictureRemoveTitle')}
      done={say('pictureRemoved')}
      isSmall
    >
      <p>{say('pictureRemoveHint')}</p>
    </Action>
  );
}
