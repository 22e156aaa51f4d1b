import type { ReactNode } from 'react';
import { useChange } from '../api/queries.ts';
import type { AnswerOf, InputOf, RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { ApiCall } from './api-call.tsx';
import { Confirm } from './confirm.tsx';
import { useToast } from './toast.tsx';

interface Props<Id extends RouteId> {
  readonly route: Id;
  readonly input: InputOf<Id>;
  readonly verb: string;
  readonly title: string;
  /** What it means. */
  readonly children: ReactNode;
  /** What became true. */
  readonly done: string | ((answer: AnswerOf<Id>) => string);
  readonly then?: (answer: AnswerOf<Id>) => void;
  readonly typed?: string;
  /** Asks for the reason, which is a field of the body. */
  readonly hasReason?: boolean;
  readonly isBad?: boolean;
  readonly isSmall?: boolean;
  readonly isNext?: boolean;
}

/** A button that asks for confirmation, calls a route, and reports the result. */
export function Action<Id extends RouteId>(props: Props<Id>) {
  const { route, input, verb, title, children, done, then, typed } = props;
  const { hasReason = false, isBad = true, isSmall = false, isNext = false } = props;
  const toast = useToast();
  const change = useChange(useTenant(), route, (answer) => {
    toast(typeof done === 'string' ? done : done(answer));
    then?.(answer);
  });
  const { name } = useTexts();
  const inputOf = (reason: string) => {
    const body: object = input.body ?? {};
    return hasReason ? { ...input, body: { ...body, reason } } : input;
  };
  return (
    <Confirm
      verb={verb}
      title={title}
      {...(typed !== undefined && { typed })}
      {...{ hasReason, isBad, isSmall, isNext }}
      isPending={change.isPending}
      problem={change.error}
      footer={<ApiCall route={route} input={inputOf(name('reason'))} />}
      onOpen={change.reset}
      onConfirm={(close, reason) => change.mutate(inputOf(reason), { onSuccess: close })}
    >
      {children}
    </Confirm>
  );
}
