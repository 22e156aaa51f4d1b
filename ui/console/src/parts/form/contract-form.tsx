import type { Problem } from '../../api/problem.ts';
import type { RouteId } from '../../api/routes.ts';
import { useTexts } from '../../texts/texts.tsx';
import { ApiCall } from '../api-call.tsx';
import { Button } from '../button.tsx';
import { ProblemNote } from '../problem-note.tsx';
import { Foldable } from './fields.tsx';
import { Errors } from './field.tsx';
import { Sections } from './sections.tsx';
import { useSubmission } from './submission.ts';
import type { ContractFormProps } from './props.ts';
import { type Body, partOf, withoutSecrets } from './values.ts';

/** A form for the body of a route. Errors found by the service are shown at their fields. */
export function ContractForm<Id extends RouteId>(props: ContractFormProps<Id>) {
  const { route, facts, fields, sections, present, part, submit, username, preview } = props;
  const { say } = useTexts();
  const { onCancel, cancel = say('cancel') } = props;
  const shown = fields
    ? fields.flatMap((fieldName) => facts.filter(({ name }) => name === fieldName))
    : facts;
  const { form, wrong, input, change, send, follow } = useSubmission(props, shown);
  const others = wrong.get('');
  const isDirty = present !== undefined && Object.keys(partOf(input.body, part)).length > 0;
  const isAtFields = wrong.size > 0 && others === undefined;
  return (
    <form ref={form} className="form" onSubmit={send} onInput={follow}>
      {username && <input hidden readOnly autoComplete="username" value={username} />}
      {sections ? (
        <Sections sections={sections} fields={shown} {...{ present, wrong }} />
      ) : (
        <Foldable fields={shown} present={present} wrong={wrong} />
      )}
      {others && (
        <div className="error" role="alert">
          <Errors errors={others} />
        </div>
      )}
      {change.error && <Refusal problem={change.error} route={route} isAtFields={isAtFields} />}
      {preview?.(Object(input.body) as Body)}
      <div className={sections || (onCancel && isDirty) ? 'actions save-bar' : 'actions'}>
        <Button type="submit" kind="solid" disabled={change.isPending}>
          {submit}
        </Button>
        {onCancel && <Button onClick={onCancel}>{cancel}</Button>}
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
