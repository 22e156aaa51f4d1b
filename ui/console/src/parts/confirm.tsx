import { type ReactNode, useState } from 'react';
import type { Problem } from '../api/problem.ts';
import { useTexts } from '../texts/texts.tsx';
import { Button } from './button.tsx';
import { QuestionDialog } from './dialog.tsx';
import type { IconName } from './icon.tsx';
import { ProblemNote } from './problem-note.tsx';
import { isSameName } from './same-name.ts';

const REASON_LENGTH = { min: 3, max: 512 };

interface Props {
  /** The verb, on the button that opens the dialog and on the one that confirms. */
  readonly verb: string;
  readonly title: string;
  /** What it means. */
  readonly children: ReactNode;
  /** Below the buttons. */
  readonly footer?: ReactNode;
  /** Must be typed to confirm what cannot be undone. */
  readonly typed?: string;
  /** Asks for a reason, which is stored in the audit log. */
  readonly hasReason?: boolean;
  readonly isBad?: boolean;
  readonly isSmall?: boolean;
  /** This is the next step of the task, so the button stands out. */
  readonly isNext?: boolean;
  readonly icon?: IconName | undefined;
  readonly isPending: boolean;
  readonly problem: Problem | null;
  /** Called with a function that closes the dialog, and the reason. */
  readonly onConfirm: (close: () => void, reason: string) => void;
  /** Forgets an earlier failure. */
  readonly onOpen?: () => void;
}

/** A button that asks for confirmation before it acts. */
export function Confirm(props: Props) {
  const { verb, isBad = true, isSmall = false, isNext = false, icon, onOpen } = props;
  // In a row, which is one of many, only the dialog warns.
  const kind = isBad && !isSmall ? 'bad' : isNext ? 'solid' : 'plain';
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const open = () => {
    onOpen?.();
    setOpen(true);
  };
  return (
    <>
      <Button kind={kind} isSmall={isSmall} icon={icon} onClick={open}>
        {verb}
      </Button>
      <ConfirmDialog {...props} isOpen={isOpen} onClose={close} />
    </>
  );
}

interface DialogProps extends Omit<Props, 'icon' | 'isSmall' | 'isNext' | 'onOpen'> {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ConfirmDialog({ isOpen, onClose, ...props }: DialogProps) {
  return (
    <QuestionDialog title={props.title} isOpen={isOpen} onClose={onClose}>
      <Question {...props} close={onClose} />
    </QuestionDialog>
  );
}

type QuestionProps = Omit<DialogProps, 'isOpen' | 'onClose'> & { readonly close: () => void };

function Question({ verb, children, typed, isBad = true, ...rest }: QuestionProps) {
  const { hasReason = false, isPending, problem, onConfirm, close, footer } = rest;
  const { say } = useTexts();
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const isReady = typed === undefined || isSameName(text, typed);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isPending) onConfirm(close, reason.trim());
      }}
    >
      {children}
      {hasReason && <Reason reason={reason} onType={setReason} />}
      {typed !== undefined && <TypedName typed={typed} text={text} onType={setText} />}
      {problem && <ProblemNote problem={problem} />}
      <div className="actions">
        <Button onClick={close}>{say('cancel')}</Button>
        <Button type="submit" kind={isBad ? 'danger' : 'solid'} disabled={!isReady || isPending}>
          {verb}
        </Button>
      </div>
      {footer}
    </form>
  );
}

function Reason({ reason, onType }: { reason: string; onType: (text: string) => void }) {
  const { say } = useTexts();
  return (
    <label className="field">
      <strong>{say('reason')}</strong>
      <input
        className="input"
        value={reason}
        required
        minLength={REASON_LENGTH.min}
        maxLength={REASON_LENGTH.max}
        onChange={(event) => onType(event.target.value)}
      />
    </label>
  );
}

interface TypedProps {
  readonly typed: string;
  readonly text: string;
  readonly onType: (text: string) => void;
}

/** A field in which users type what they are about to delete. */
export function TypedName({ typed, text, onType }: TypedProps) {
  const { say } = useTexts();
  const [before, after] = say('typeName', { name: '\n' }).split('\n');
  return (
    <label className="field">
      <span>
        {before}
        <bdi className="mono">{typed}</bdi>
        {after}
      </span>
      <input
        className="input"
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
      />
    </label>
  );
}
