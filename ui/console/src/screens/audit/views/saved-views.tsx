import { useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Scopes } from '../../../parts/scopes.tsx';
import type { Filter } from '../../../parts/table/column.ts';
import { useCaller } from '../../../shell/caller.tsx';
import { isolated } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { useView } from '../../../url/view.ts';
import { NameForm } from './name-form.tsx';
import { useViews } from './use-views.ts';
import { ViewList } from './view-list.tsx';
import { areSame, filtersOf } from './views.ts';

/** @param list the filters of the list */
export function SavedViews({ list }: { readonly list: readonly Filter[] }) {
  const { say } = useTexts();
  const { id } = useCaller();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button kind="ghost" icon="tag" disabled={id === ''} onClick={() => setOpen(true)}>
        <span className="word">{say('savedViews')}</span>
      </Button>
      <Dialog title={say('savedViews')} isOpen={isOpen} onClose={close} isForm>
        <Views list={list} onClose={close} />
      </Dialog>
    </>
  );
}

interface Props {
  readonly list: readonly Filter[];
  readonly onClose: () => void;
}

/** The user's views, and the actions on them. */
function Views({ list, onClose }: Props) {
  const { say } = useTexts();
  const names = list.map(({ name }) => name);
  const stored = useViews(names);
  const { views, change } = stored;
  const [notice, setNotice] = useState('');
  const filters = filtersOf(useView().search, names);
  const present = views.find((view) => areSame(view.filters, filters));
  const chosen = list.flatMap(({ name, label }) =>
    filters[name] === undefined ? [] : [`${say(label)}: ${filters[name]}`],
  );
  const isFiltered = chosen.length > 0;
  const report = (key: 'viewKept' | 'deleted', name: string) =>
    setNotice(say(key, { name: isolated(name) }));
  const save = (name: string) => {
    if (!change((all) => [...all, { name, filters }])) return false;
    report('viewKept', name);
    return true;
  };
  return (
    <>
      {views.length === 0 && !isFiltered && <p>{say('viewsNone')}</p>}
      {isFiltered && !present && (
        <div className="stack">
          <Scopes scopes={chosen} />
          <NameForm label={say('viewName')} flawOf={(name) => stored.flawOf(name)} onName={save} />
        </div>
      )}
      <ViewList stored={stored} present={present} report={report} onFollow={onClose} />
      <p role="status">{notice}</p>
      <p className="muted">{say('viewsHint')}</p>
      <div className="actions">
        <Button kind="solid" onClick={onClose}>
          {say('close')}
        </Button>
      </div>
    </>
  );
}
