import type { User } from '@keywright/sdk';
import { userUpdate } from '../../../generated/facts.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Json } from '../../../parts/json.tsx';
import { useCaller } from '../../../shell/caller.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useView } from '../../../url/view.ts';
import { FieldTable } from './field-table.tsx';
import { WholeForm } from './whole-form.tsx';

const HINT = userUpdate.find(({ name }) => name === 'metadata')?.hint;

/** The metadata that administrators write about a user: field by field, or as a whole. */
export function MetadataCard({ user }: { readonly user: User }) {
  const { say, name } = useTexts();
  const { can } = useCaller();
  const { search, go } = useView();
  const isWhole = search['as'] === 'json';
  const mayChange = can('write:users');
  return (
    <Card
      title={name('metadata')}
      actions={
        mayChange && (
          <>
            <Button isSmall aria-pressed={!isWhole} onClick={() => go({ as: '' })}>
              {say('asFields')}
            </Button>
            <Button isSmall aria-pressed={isWhole} onClick={() => go({ as: 'json' })}>
              {say('asJson')}
            </Button>
          </>
        )
      }
    >
      <div className="stack">
        <p className="muted" lang="en" dir="auto">
          {HINT}
        </p>
        {!mayChange && <Json value={user.metadata} label={name('metadata')} />}
        {mayChange && (isWhole ? <WholeForm user={user} /> : <FieldTable user={user} />)}
      </div>
    </Card>
  );
}
