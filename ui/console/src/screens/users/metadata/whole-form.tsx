import type { User } from '@keywright/sdk';
import { useId, useRef } from 'react';
import { ApiCall } from '../../../parts/api-call.tsx';
import { Button } from '../../../parts/button.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { ConflictNote, FlawNote, Refused, Size } from './notes.tsx';
import { differencesOf, MOST_BYTES, readMetadata } from './rules.ts';
import { useWhole } from './use-whole.ts';

/** A form for all metadata as JSON. */
export function WholeForm({ user }: { readonly user: User }) {
  const { say } = useTexts();
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const { saving, base, text, setText, flaw, isUnchanged, reset, send } = useWhole(user, area);
  const { conflict, problem, isPending } = saving;
  const read = readMetadata(text);
  const metadata = 'value' in read ? read.value : base;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        send(base);
      }}
    >
      <textarea
        ref={area}
        className="input mono tall"
        dir="ltr"
        spellCheck={false}
        aria-label={say('field.user.metadata')}
        aria-invalid={flaw !== undefined || undefined}
        aria-describedby={flaw && id}
        maxLength={4 * MOST_BYTES}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Size metadata={metadata} />
      {flaw && <FlawNote flaw={flaw} id={id} />}
      {isUnchanged && <p role="status">{say('unchanged')}</p>}
      <Refused problem={problem} />
      {conflict && (
        <ConflictNote
          names={differencesOf(conflict, base)}
          now={conflict}
          onTake={() => reset(conflict)}
          onOverwrite={() => send(conflict)}
        />
      )}
      <div className="actions">
        <Button type="submit" kind="solid" disabled={isPending}>
          {say('save')}
        </Button>
      </div>
      <ApiCall route="users.update" input={{ params: { user_id: user.id }, body: { metadata } }} />
    </form>
  );
}
