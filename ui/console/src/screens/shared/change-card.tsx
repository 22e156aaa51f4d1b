import type { ReactNode } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { RouteId } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { ContractForm } from '../../parts/form/contract-form.tsx';
import type { FormSection } from '../../parts/form/props.ts';
import type { Body } from '../../parts/form/values.ts';
import { useToast } from '../../parts/toast.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';

interface Props {
  readonly route: RouteId;
  readonly scope: string;
  readonly facts: readonly FieldFacts[];
  readonly fields?: readonly string[];
  /** Tabs of the form. */
  readonly sections?: readonly FormSection[];
  readonly params: Readonly<Record<string, string>>;
  /** The record to change, or the part of it. */
  readonly present: object;
  readonly part?: string;
  /** Changed with the fields of the form. */
  readonly fixed?: Body;
  readonly title?: string;
  /** Whether the screen or the tab shows the same title. */
  readonly hidesTitle?: boolean;
  /** Above the form. */
  readonly notes?: ReactNode;
  /** Shows what the change would mean, before it is saved. */
  readonly preview?: (body: Body) => ReactNode;
  /** Whose password is changed. */
  readonly username?: string;
  /** Called with the body that would be sent, while the user types. */
  readonly onDraft?: (body: Body) => void;
}

/** A form that changes a record, for callers who are allowed to. */
export function ChangeCard(props: Props) {
  const { scope, facts, fields, present, title, hidesTitle = false, notes, ...rest } = props;
  const { say } = useTexts();
  const { can } = useCaller();
  const toast = useToast();
  if (!can(scope)) return null;
  return (
    <Card title={title ?? say('change')} hidesTitle={hidesTitle}>
      <div className="stack narrow">
        {notes}
        <ContractForm
          // Another record, or fields of another kind, replace the whole form.
          key={JSON.stringify([rest.params, facts.map(({ kind }) => kind)])}
          facts={facts}
          {...(fields && { fields })}
          present={{ ...present }}
          submit={say('save')}
          onDone={() => toast(say('saved'))}
          {...rest}
        />
      </div>
    </Card>
  );
}
