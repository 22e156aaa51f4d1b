import type { ReactNode } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import type { AnswerOf, RouteId } from '../../api/routes.ts';
import type { Body } from './values.ts';

export interface ContractFormProps<Id extends RouteId> {
  readonly route: Id;
  readonly facts: readonly FieldFacts[];
  /** These fields only, in this order; default: all. */
  readonly fields?: readonly string[];
  readonly params?: Readonly<Record<string, string>>;
  /** The record that is changed: only differences are sent. */
  readonly present?: Body;
  /** The part of the body that the fields are in: names separated by `/`. */
  readonly part?: string;
  /** Fields of the body that nobody fills in. */
  readonly fixed?: Body;
  /** Whose password it sets, for what keeps passwords. */
  readonly username?: string;
  readonly submit: string;
  /** What the body would mean, before it is sent. */
  readonly preview?: (body: Body) => ReactNode;
  /** Is told of what would be sent, while it is typed. */
  readonly onDraft?: (body: Body) => void;
  readonly onDone: (answer: AnswerOf<Id>) => void;
}
