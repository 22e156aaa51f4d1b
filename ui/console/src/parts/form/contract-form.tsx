import type { FieldFacts } from '../../api/field-facts.ts';
import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ApiCall } from '../api-call.tsx';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { foldedOf } from './advanced.ts';
import { Errors, Field } from './field.tsx';
import { useSubmission } from './submission.ts';
import type { ContractFormProps } from './props.ts';
import { type Body, type FieldErrors, withoutSecrets } from './values.ts';

/** A form for the body of a route. Errors found by the service are shown at their fields. */
export function ContractForm<Id extends RouteId>(props: ContractFormProps<Id>) {
  const { route, facts, fields, present, part, submit, username, preview } = props;
  const shown = fields
    ? fields.flatMap((fieldName) => facts.filter(({ name }) => name === fieldName))
    : facts;
  const { form, wrong, input, change, send, follow } = useSubmission(props, shown);
  const { say } = useTexts();
  const [atFirst, folded] = foldedOf(shown);
  const others = wrong.get('');
  const isAtFields = wrong.size > 0 && others === undefined;
  return (
    <form ref={form} className="form" onSubmit={send} onInput={follow}>
      {username && <input hidden readOnly autoComplete="username" value={username} />}
      <Fields fields={atFirst} present={present} wrong={wrong} />
      {folded.length > 0 && (
        <details
          className="advanced"
          // An error in it must be visible.
          open={folded.some(({ name }) => wrong.has(name)) || undefined}
        >
          <summary>{say('advanced')}</summary>
          <div className="form">
            <Fields fields={folded} present={present} wrong={wrong} />
          </div>
        </details>
      )}
      {others && (
        <div className="error" role="alert">
          <Errors errors={others} />
        </div>
      )}
      {change.error && <Refusal problem={change.error} route={route} isAtFields={isAtFields} />}
      {preview?.(Object(input.body) as Body)}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={change.isPending}>
          {submit}
        </Button>
      </div>
      <ApiCall route={route} input={withoutSecrets(input, shown, part)} />
    </form>
  );
}

interface FieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly present: Body | undefined;
  readonly wrong: FieldErrors;
}

function Fields({ fields, present, wrong }: FieldsProps) {
  return fields.map((field) => (
    <Field
      // Starts with the current value. Changes to the rest of the record do not affect what is being typed here.
      key={JSON.stringify([field.name, present?.[field.name]])}
      facts={field}
      value={present?.[field.name]}
      errors={wrong.get(field.name)}
      isOfChange={present !== undefined}
    />
  ));
}

interface RefusalProps {
  readonly problem: Problem;
  readonly route: RouteId;
  /** Whether each error is shown at its field. */
  readonly isAtFields: boolean;
}

function Refusal({ problem, route, isAtFields }: RefusalProps) {
  const { say } = useTexts();
  if (!isAtFields) return <ProblemNote problem={problem} route={route} />;
  return (
    <p className="error" role="alert">
      {say('correctFields')}
    </p>
  );
}
