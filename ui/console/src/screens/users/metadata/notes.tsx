import { Button } from '../../../parts/button.tsx';
import { Errors } from '../../../parts/form/field.tsx';
import { Json } from '../../../parts/json.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { Scopes } from '../../../parts/scopes.tsx';
import { isolated } from '../../../texts/format.ts';
import { errorTextOf } from '../../../texts/field-errors.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { bytesOf, type Flaw, type Metadata, MOST_BYTES, MOST_LEVELS } from './rules.ts';
import type { Saving } from './use-saving.ts';

/** Shows what is wrong with the typed text, and where. */
export function FlawNote({ flaw, id }: { readonly flaw: Flaw; readonly id: string }) {
  const { say } = useTexts();
  const where = 'line' in flaw ? { line: flaw.line, column: flaw.column } : {};
  const what = 'what' in flaw ? { what: isolated(visible(flaw.what)) } : {};
  return (
    <p id={id} className="error" role="alert">
      {'line' in flaw && `${say('faultAt', where)} `}
      {say(`fault.${flaw.kind}`, { ...what, levels: MOST_LEVELS, most: MOST_BYTES })}
    </p>
  );
}

/** Shows an invisible character by its number. */
function visible(what: string): string {
  if (!/^[\p{C}\p{Z}]$/u.test(what)) return what;
  return `U+${(what.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

interface ConflictProps {
  /** The names of the fields that differ. */
  readonly names: readonly string[];
  /** The current value; undefined: it was removed. */
  readonly now: unknown;
  readonly onTake?: () => void;
  readonly onOverwrite?: () => void;
}

/** Shows that another user changed it, and that nothing was saved. */
export function ConflictNote({ names, now, onTake, onOverwrite }: ConflictProps) {
  const { say } = useTexts();
  return (
    <div className="note brass" role="alert">
      <h3>{say('conflict')}</h3>
      <Scopes scopes={names} />
      <p>{say('conflictHint')}</p>
      <Json value={now} label={say('conflictNow')} />
      <div className="actions">
        {onTake && <Button onClick={onTake}>{say('takeTheirs')}</Button>}
        {onOverwrite && <Button onClick={onOverwrite}>{say('saveMine')}</Button>}
      </div>
    </div>
  );
}

export function Refused({ problem }: Pick<Saving, 'problem'>) {
  const { say } = useTexts();
  if (!problem) return null;
  return (
    <>
      <ProblemNote problem={problem} route="users.update" />
      {problem.errors.map(({ path, message }) => (
        <div key={path} className="error">
          <Errors errors={[{ ...errorTextOf(message, say), path }]} />
        </div>
      ))}
    </>
  );
}

/** Shows how much of the available space is used. */
export function Size({ metadata }: { readonly metadata: Metadata }) {
  const { say } = useTexts();
  return <p className="muted">{say('bytesUsed', { used: bytesOf(metadata), most: MOST_BYTES })}</p>;
}
