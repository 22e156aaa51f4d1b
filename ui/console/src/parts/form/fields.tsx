import type { FieldFacts } from '../../api/field-facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { foldedOf } from './advanced.ts';
import { Field } from './field.tsx';
import type { Body, FieldErrors } from './values.ts';

export interface FieldsProps {
  readonly fields: readonly FieldFacts[];
  readonly present: Body | undefined;
  readonly wrong: FieldErrors;
}

export function Fields({ fields, present, wrong }: FieldsProps) {
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

/** The fields, with the rare ones folded. */
export function Foldable({ fields, ...rest }: FieldsProps) {
  const { say } = useTexts();
  const [shown, folded] = foldedOf(fields);
  return (
    <>
      <Fields fields={shown} {...rest} />
      {folded.length > 0 && (
        <details
          className="advanced"
          // An error in it must be visible.
          open={folded.some(({ name }) => rest.wrong.has(name)) || undefined}
        >
          <summary>{say('advanced')}</summary>
          <div className="form">
            <Fields fields={folded} {...rest} />
          </div>
        </details>
      )}
    </>
  );
}
