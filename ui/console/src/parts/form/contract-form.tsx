import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ApiCall } from '../api-call.tsx';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { Errors, Field } from './field.tsx';
import { useSubmission } from './submission.ts';
import type { ContractFormProps } from './props.ts';
import { type Body, withoutSecrets } from './values.ts';

/** A form for the body of a route. Errors found by the service are shown at their fields. */
export function ContractForm<Id extends RouteId>(props: ContractFormProps<Id>) {
  const { route, facts, fields, present, part, submit, username, preview } = props;
  const shown = fields
    ? fields.flatMap((fieldName) => facts.filter(({ name }) => name === fieldName))
    : facts;
  const { form, wrong, input, change, send, follow } = useSubmission(props, shown);
  const others = wrong.get('');
  const isAtFields = wrong.size > 0 && others === undefined;
  return (
    <form ref={form} className="form" onSubmit={send} onInput={follow}>
      {username && <input hidden readOnly autoComplete="username" value={username} />}
      {shown.map((field) => (
        <Field
          // Starts with the current value. Changes to the rest of the record do not affect what is being typed here.
          key={JSON.stringify([field.name, present?.[field.name]])}
          facts={field}
          value={present?.[field.name]}
          errors={wrong.get(field.name)}
          isOfChange={present !== undefined}
        />
      ))}
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
