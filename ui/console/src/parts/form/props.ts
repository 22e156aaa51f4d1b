import type { ReactNode } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { AnswerOf, RouteId } from '../../api/routes.ts';
import type { Body } from './values.ts';

export interface FormSection {
  readonly title: string;
  readonly fields: readonly string[];
}

export interface ContractFormProps<Id extends RouteId> {
  readonly route: Id;
  readonly facts: readonly FieldFacts[];
  /** Only these fields, in this order; default: all. */
  readonly fields?: readonly string[];
  /** Tabs of the form, with their fields. One button saves all of them. */
  readonly sections?: readonly FormSection[];
  readonly params?: Readonly<Record<string, string>>;
  /** The record to change. Only differences are sent. */
  readonly present?: Body;
  /** The part of the body that contains the fields: names separated by `/`. */
  readonly part?: string;
  /** Fields of the body that the user does not fill in. */
  readonly fixed?: Body;
  /** The user whose password the form sets, for password managers. */
  readonly username?: string;
  readonly submit: string;
  /** Closes the form, where the values are shown again. */
  readonly onCancel?: () => void;
  /** The word on the button that does this. Default: Cancel */
  readonly cancel?: string;
  /** Shows what the body would mean, before it is sent. */
  readonly preview?: (body: Body) => ReactNode;
  /** Called with the body that would be sent, while the user types. */
  readonly onDraft?: (body: Body) => void;
  readonly onDone: (answer: AnswerOf<Id>) => void;
}
