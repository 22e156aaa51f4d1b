import type { User } from '@keywright/sdk';
import { ApiCall } from '../../../parts/api-call.tsx';
import type { Column } from '../../../parts/table/column.ts';
import { ItemTable } from '../../../parts/table/items.tsx';
import { isolated } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { FieldDialog } from './field-dialog.tsx';
import { ConflictNote, Refused, Size } from './notes.tsx';
import { isSameField, withoutField } from './rules.ts';
import { useSaving } from './use-saving.ts';

interface Field {
  readonly user: User;
  readonly name: string;
}

const COLUMNS: readonly Column<Field>[] = [
  { title: 'eventField', cell: ({ name }) => <bdi className="value mono">{name}</bdi> },
  { title: 'value', cell: ({ user, name }) => <Value value={user.metadata[name]} /> },
  { title: 'tools', cell: (field) => <Tools {...field} /> },
];

/** Shows the fields of the metadata. Each can be changed separately. */
export function FieldTable({ user }: { readonly user: User }) {
  const { say, name: nameOf } = useTexts();
  const fields = Object.keys(user.metadata).map((name) => ({ user, name }));
  return (
    <div className="stack">
      {fields.length === 0 ? (
        <p className="muted">{say('fieldsNone')}</p>
      ) : (
        <ItemTable
          label={nameOf('metadata')}
          columns={COLUMNS}
          items={fields}
          keyOf={({ name }) => name}
        />
      )}
      {fields.length > 0 && <Size metadata={user.metadata} />}
      <div className="actions">
        <FieldDialog user={user} />
      </div>
      <ApiCall
        route="users.update"
        input={{ params: { user_id: user.id }, body: { metadata: user.metadata } }}
      />
    </div>
  );
}

const SHOWN = 300;

function Value({ value }: { readonly value: unknown }) {
  const isText = typeof value === 'string';
  const whole = isText ? value : JSON.stringify(value);
  const text = whole.length > SHOWN ? `${whole.slice(0, SHOWN).toWellFormed()}…` : whole;
  return <bdi className={isText ? 'value' : 'value mono'}>{text}</bdi>;
}

function Tools({ user, name }: Field) {
  return (
    <div className="actions">
      <FieldDialog user={user} name={name} />
      <Removal user={user} name={name} />
    </div>
  );
}

function Removal({ user, name }: Field) {
  const { say } = useTexts();
  const saving = useSaving(user);
  const base = saving.conflict ?? user.metadata;
  return (
    <Confirm
      verb={say('removeFactor')}
      title={say('removeFactorTitle', { name: isolated(name) })}
      isSmall
      isPending={saving.isPending}
      problem={null}
      onOpen={saving.forget}
      onConfirm={(close) =>
        saving.save({
          isOf: (present) => isSameField(present, base, name),
          next: (present) => withoutField(present, name),
          onSaved: close,
        })
      }
    >
      <p>{say('removeFieldHint')}</p>
      {saving.conflict && <ConflictNote names={[name]} now={saving.conflict[name]} />}
      <Refused problem={saving.problem} />
    </Confirm>
  );
}
