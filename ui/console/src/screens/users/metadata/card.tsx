import type { User } from '@keywright/sdk';
import { Card } from '../../../parts/card.tsx';
import { Json } from '../../../parts/json.tsx';
import { useCaller } from '../../../shell/caller.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { useView } from '../../../url/view.ts';
import { FieldTable } from './field-table.tsx';
import { WholeForm } from './whole-form.tsx';

/** The metadata that administrators write about a user: field by field, or as a whole. */
export function MetadataCard({ user }: { readonly user: User }) {
  const { say } = useTexts();
  const { can } = useCaller();
  const { search, go } = useView();
  const isWhole = search['as'] === 'json';
  const mayChange = can('write:users');
  return (
    <Card
      title={say('field.user.metadata')}
      about={say('hint.user.metadata')}
      actions={
        mayChange && (
          <div className="segments">
            <button type="button" aria-pressed={!isWhole} onClick={() => go({ as: '' })}>
              {say('asFields')}
            </button>
            <button type="button" aria-pressed={isWhole} onClick={() => go({ as: 'json' })}>
              {say('asJson')}
            </button>
          </div>
        )
      }
    >
      <div className="stack">
        {!mayChange && <Json value={user.metadata} label={say('field.user.metadata')} />}
        {mayChange && (isWhole ? <WholeForm user={user} /> : <FieldTable user={user} />)}
      </div>
    </Card>
  );
}
