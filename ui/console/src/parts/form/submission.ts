import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { FieldFacts } from '../../api/field-facts.ts';
import { asProblem } from '../../api/problem.ts';
import { useChange } from '../../api/queries.ts';
import type { Input, InputOf, RouteId } from '../../api/routes.ts';
import { errorTextOf } from '../../texts/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import type { ContractFormProps } from './props.ts';
import {
  type Body,
  bodyOf,
  bodyWithPart,
  errorsByField,
  FieldError,
  type FieldErrors,
  partOf,
} from './values.ts';

const NOTHING_WRONG: FieldErrors = new Map();

/** Handles typing in a form, and its submission. */
export function useSubmission<Id extends RouteId>(
  props: Omit<ContractFormProps<Id>, 'submit' | 'facts'>,
  shown: readonly FieldFacts[],
) {
  const { route, params, present, part, fixed, onDone, onDraft } = props;
  const { say } = useTexts();
  const textOf = (message: string) => errorTextOf(message, say);
  const form = useRef<HTMLFormElement>(null);
  const change = useChange(useTenant(), route, onDone);
  const [wrong, setWrong] = useState(NOTHING_WRONG);
  const inputOf = (body: Body): Input => ({
    ...(params && { params }),
    body: bodyWithPart({ ...fixed, ...body }, part),
  });
  const [input, setInput] = useState(inputOf({}));

  useFocusOnWrong(form, wrong);

  /** @throws FieldError if a field is not valid */
  const read = (): Input =>
    inputOf(bodyOf(shown, new FormData(form.current ?? undefined), present));
  const prepare = (): Input | undefined => {
    setWrong(NOTHING_WRONG);
    try {
      const request = read();
      if (!present || !isUnchanged(request.body, part)) return request;
      setWrong(wrongAt('', say('unchanged')));
    } catch (error) {
      setWrong(wrongAt(error instanceof FieldError ? error.field : '', say('jsonInvalid')));
    }
    return undefined;
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const request = prepare();
    if (!request || change.isPending) return;
    setInput(request);
    change.mutate(request as InputOf<Id>, {
      onSuccess: () => forgetSecrets(form.current, shown),
      onError: (error) => setWrong(errorsByField(asProblem(error).errors, shown, textOf, part)),
    });
  };
  const follow = (): void => {
    const next = orElse(read, input);
    setInput(next);
    onDraft?.(next.body as Body);
  };
  useOnceChanged(JSON.stringify(shown.map(({ name }) => present?.[name])), follow);
  return { form, wrong, input, change, send, follow };
}

function wrongAt(field: string, text: string): FieldErrors {
  return new Map([[field, [{ text }]]]);
}

/** Moves the focus to the first wrong field after it is marked. */
function useFocusOnWrong(form: RefObject<HTMLFormElement | null>, wrong: FieldErrors): void {
  useEffect(() => {
    if (wrong.size > 0) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [form, wrong]);
}

/** Compares the typed values again when the saved ones have changed, since the differences can have changed as well. */
function useOnceChanged(saved: string, follow: () => void): void {
  const before = useRef(saved);
  useEffect(() => {
    if (before.current === saved) return;
    before.current = saved;
    follow();
  });
}

/** Clears submitted secrets from their fields, since the record shown afterward can be the same. */
function forgetSecrets(form: HTMLFormElement | null, shown: readonly FieldFacts[]): void {
  for (const { name } of shown.filter(({ kind }) => kind === 'secret')) {
    const control = form?.elements.namedItem(name);
    if (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) {
      control.value = '';
    }
  }
}

/** While the user types, the input can be temporarily invalid. */
function orElse(read: () => Input, before: Input): Input {
  try {
    return read();
  } catch {
    return before;
  }
}

function isUnchanged(body: unknown, part: string | undefined): boolean {
  return Object.keys(partOf(body, part)).length === 0;
}
