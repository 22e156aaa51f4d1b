import type { ReactNode } from 'react';
import { useChange } from '../api/queries.ts';
import type { AnswerOf, InputOf, RouteId } from '../api/routes.ts';
import { useTexts } from '../texts/texts.tsx';
import { useTenant } from '../url/params.ts';
import { ApiCall } from './api-call.tsx';
import { Confirm, ConfirmDialog } from './confirm.tsx';
import type { IconName } from './icon.tsx';
import { MenuItem, useMenuDialog } from './menu.tsx';
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
  readonly icon?: IconName;
}

/** A button, or an item of a menu, that asks for confirmation, calls a route, and reports the result. */
export function Action<Id extends RouteId>(props: Props<Id>) {
  const showDialog = useMenuDialog();
  if (!showDialog) return <ActionButton {...props} />;
  const { verb, icon, isBad = true } = props;
  const close = () => showDialog(undefined);
  return (
    <MenuItem
      icon={icon}
      isBad={isBad}
      onChoose={() => showDialog(<ActionDialog {...props} onClose={close} />)}
    >
      {verb}
    </MenuItem>
  );
}

function ActionButton<Id extends RouteId>(props: Props<Id>) {
  const { isSmall = false, isNext = false, icon } = props;
  const { reset, ...asking } = useAsking(props);
  return <Confirm {...asking} {...{ isSmall, isNext, icon }} onOpen={reset} />;
}

/** The dialog of an action, which is open. A part that has a state of its own shows it from its item of a menu. */
export function ActionDialog<Id extends RouteId>(
  props: Props<Id> & { readonly onClose: () => void },
) {
  const { reset: _reset, ...asking } = useAsking(props);
  return <ConfirmDialog {...asking} isOpen onClose={props.onClose} />;
}

/** Returns the question, and what happens when it is confirmed. */
function useAsking<Id extends RouteId>(props: Props<Id>) {
  const { route, input, verb, title, children, done, then, typed } = props;
  const { hasReason = false, isBad = true } = props;
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
  return {
    verb,
    title,
    children,
    hasReason,
    isBad,
    ...(typed !== undefined && { typed }),
    isPending: change.isPending,
    problem: change.error,
    footer: <ApiCall route={route} input={inputOf(name('reason'))} />,
    reset: change.reset,
    onConfirm: (close: () => void, reason: string) =>
      change.mutate(inputOf(reason), { onSuccess: close }),
  };
}
