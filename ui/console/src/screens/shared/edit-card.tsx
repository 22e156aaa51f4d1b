import { type ReactNode, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { RouteId } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import { FieldValue, isUnset } from '../../parts/form/field-value.tsx';
import type { Body } from '../../parts/form/values.ts';
import { useCaller } from '../../shell/caller.tsx';
import { formatNames } from '../../texts/format.ts';
import { useTexts, useWords } from '../../texts/texts.tsx';
import { bodyOfUndo, useSavedToast } from './undo.ts';

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly route: RouteId;
  readonly scope: string;
  readonly facts: readonly FieldFacts[];
  /** The fields of the card, in this order; default: all. */
  readonly fields?: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  /** The record. */
  readonly present: object;
  /** Facts that cannot be edited, below the fields. */
  readonly rows?: readonly (readonly [name: string, value: ReactNode])[];
  /** Shown instead of the values, which another card shows. */
  readonly summary?: string;
  /** In a rail of facts */
  readonly isNarrow?: boolean;
  /** Whether the record can never be edited. */
  readonly isFixed?: boolean;
  /** Edits the fields; default: as they are shown. */
  readonly form?: (props: EditFormProps) => ReactNode;
  /** Above the form. */
  readonly notes?: ReactNode;
  /** Shows what the change would mean, before it is saved. */
  readonly preview?: (body: Body) => ReactNode;
}

/** Shows fields of a record, and edits them in place. */
export function EditCard(props: Props) {
  const { title, about, scope, facts, fields, params, isFixed = false, summary } = props;
  const { form: Form = EditForm } = props;
  const { can } = useCaller();
  const id = JSON.stringify(params);
  // Another record is shown first.
  const [edited, setEdited] = useState('');
  const shown = fields
    ? fields.flatMap((name) => facts.filter((field) => field.name === name))
    : facts;
  const mayEdit = can(scope) && !isFixed && shown.length > 0;
  return (
    <Card
      title={title}
      about={about}
      {...(mayEdit && edited !== id && { onEdit: () => setEdited(id) })}
    >
      {mayEdit && edited === id ? (
        <Form {...props} shown={shown} onClose={() => setEdited('')} />
      ) : summary !== undefined ? (
        <p className="muted">{summary}</p>
      ) : (
        <Values {...props} shown={shown} />
      )}
    </Card>
  );
}

interface PartProps extends Props {
  readonly shown: readonly FieldFacts[];
}

export interface EditFormProps extends PartProps {
  readonly onClose: () => void;
}

export function EditForm(props: EditFormProps) {
  const { route, shown, params, present, notes, preview, onClose } = props;
  const { say } = useTexts();
  const report = useSavedToast(route, params);
  return (
    <div className="stack narrow">
      {notes}
      <ContractForm
        // Fields of another kind replace the whole form.
        key={JSON.stringify(shown.map(({ kind }) => kind))}
        route={route}
        facts={shown}
        params={params}
        present={{ ...present }}
        submit={say('save')}
        {...(preview && { preview })}
        onCancel={onClose}
        onDone={(answer) => {
          report(bodyOfUndo(shown, present as Body, Object(answer) as Body));
          onClose();
        }}
      />
    </div>
  );
}

/** Fields without a value are only named. */
function Values({ shown, present, rows = [], isNarrow = false }: PartProps) {
  const { say, locale } = useTexts();
  const { labelOf } = useWords();
  const record = present as Body;
  const valueOf = ({ name, byDefault }: FieldFacts) => record[name] ?? byDefault;
  const set = shown.filter((field) => !isUnset(valueOf(field)));
  const unset = shown.filter((field) => field.name in record && !set.includes(field));
  const names = formatNames(locale, unset.map(labelOf));
  return (
    <div className="stack">
      <Facts
        isNarrow={isNarrow}
        rows={[
          ...set.map(
            (field) =>
              [
                labelOf(field),
                <FieldValue key="value" facts={field} value={valueOf(field)} />,
              ] as const,
          ),
          ...rows,
        ]}
      />
      {unset.length > 0 && <p className="muted">{say('notSet', { names })}</p>}
    </div>
  );
}
