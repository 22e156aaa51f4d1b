import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Place } from '../../../parts/place.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { NameForm } from './name-form.tsx';
import type { StoredViews } from './use-views.ts';
import { flawOf, renamed, type View, without } from './views.ts';

interface Props {
  readonly stored: StoredViews;
  /** The open view. */
  readonly present: View | undefined;
  readonly report: (what: 'viewKept' | 'deleted', name: string) => void;
  readonly onFollow: () => void;
}

/** Views to open, rename and delete. The last deleted view can be restored. */
export function ViewList({ stored, present, report, onFollow }: Props) {
  const { views, change } = stored;
  const [edited, setEdited] = useState<string>();
  const [gone, setGone] = useState<{ readonly view: View; readonly place: number }>();
  const rename = (before: string, name: string): boolean => {
    if (!change((all) => renamed(all, before, name))) return false;
    setEdited(undefined);
    report('viewKept', name);
    return true;
  };
  const remove = (view: View, place: number): void => {
    if (!change((all) => without(all, view.name))) return;
    setGone({ view, place });
    report('deleted', view.name);
  };
  const restore = ({ view, place }: { readonly view: View; readonly place: number }): void => {
    change((all) => all.toSpliced(place, 0, view));
    setGone(undefined);
    report('viewKept', view.name);
  };
  return (
    <>
      <ul className="views">
        {views.map((view, place) => (
          <li key={view.name}>
            {view.name === edited ? (
              <NewName stored={stored} name={view.name} onName={rename} onCancel={setEdited} />
            ) : (
              <Entry
                view={view}
                isOpen={view === present}
                onFollow={onFollow}
                onRename={() => setEdited(view.name)}
                onDelete={() => remove(view, place)}
              />
            )}
          </li>
        ))}
      </ul>
      {gone && flawOf(views, gone.view.name) === undefined && (
        <Undo key={gone.view.name} onUndo={() => restore(gone)} />
      )}
    </>
  );
}

interface NewNameProps {
  readonly stored: StoredViews;
  readonly name: string;
  readonly onName: (before: string, name: string) => boolean;
  readonly onCancel: (none: undefined) => void;
}

function NewName({ stored, name: before, onName, onCancel }: NewNameProps) {
  const { say } = useTexts();
  return (
    <NameForm
      label={say('viewNewName')}
      name={before}
      flawOf={(name) => stored.flawOf(name, before)}
      onName={(name) => onName(before, name)}
      onCancel={() => onCancel(undefined)}
    />
  );
}

interface EntryProps {
  readonly view: View;
  readonly isOpen: boolean;
  readonly onFollow: () => void;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

function Entry({ view: { name, filters }, isOpen, onFollow, onRename, onDelete }: EntryProps) {
  const { say } = useTexts();
  return (
    <>
      <Place to="/audit" search={filters} isCurrent={isOpen} onFollow={onFollow}>
        <bdi>{name}</bdi>
      </Place>
      <div className="actions">
        <Button isSmall aria-label={`${say('rename')} ${name}`} onClick={onRename}>
          {say('rename')}
        </Button>
        <Button isSmall aria-label={`${say('delete')} ${name}`} onClick={onDelete}>
          {say('delete')}
        </Button>
      </div>
    </>
  );
}

/** Takes the focus of the button that was removed along with its view. */
function Undo({ onUndo }: { readonly onUndo: () => void }) {
  const { say } = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.querySelector('button')?.focus(), []);
  return (
    <div ref={frame}>
      <Button isSmall onClick={onUndo}>
        {say('undo')}
      </Button>
    </div>
  );
}
