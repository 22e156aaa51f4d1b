import type { FieldFacts } from '../../api/field-facts.ts';

export interface InputProps {
  readonly facts: FieldFacts;
  readonly value: unknown;
  readonly id: string;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
}

/** Returns the properties that every control of a field has. */
export function commonOf({ facts, id, isInvalid, describedBy }: InputProps) {
  return {
    id,
    name: facts.name,
    required: facts.required === true,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  };
}
