import type { Text } from '@keywright/sdk';
import { useCall } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Select } from '../../parts/form/select.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Head } from '../../parts/table/head.tsx';
import { moveFocus } from '../../parts/table/keys.ts';
import { EmptyList, Rows } from '../../parts/table/rows.tsx';
import { SearchField } from '../../parts/table/search-field.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from '../shared/language-choice.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { chosenTexts, STATES, stateIn, TEXT_GROUPS_AND_ALL } from './chosen.ts';

const WORDS = { name: 'words', label: 'textSearch' } as const;

export function TextList() {
  const { say, locale: consoleLocale } = useTexts();
  const { search, filter } = useView();
  const { locale } = viewOf(search, consoleLocale);
  const input = { params: { locale } };
  const query = useCall(useTenant(), 'branding.list_texts', input);
  return (
    <Page title={say('texts')} about={say('textsHint')}>
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <LanguageChoice value={locale} onChoose={(chosen) => filter({ locale: chosen })} />
        <Select
          label={say('textScreen')}
          value={TEXT_GROUPS_AND_ALL.find((group) => group === search['group']) ?? 'all'}
          choices={TEXT_GROUPS_AND_ALL.map((group) => [group, say(`texts.${group}`)])}
          onChoose={(group) => filter({ group: group === 'all' ? '' : group })}
        />
        <Select
          label={say('state')}
          value={stateIn(search)}
          choices={STATES.map((state) => [state, say(`text.${state}`)])}
          onChoose={(state) => filter({ state: state === 'any' ? '' : state })}
        />
        <SearchField field={WORDS} />
      </form>
      <Loaded query={query} route="branding.list_texts" rows={12}>
        {({ texts }) => <Found texts={chosenTexts(texts, search)} locale={locale} />}
      </Loaded>
      {/* Rendered later, so that nothing pushes it down. */}
      {!query.isPending && <ApiCall route="branding.list_texts" input={input} />}
    </Page>
  );
}

interface FoundProps {
  readonly texts: readonly Text[];
  readonly locale: string;
}

function Found({ texts, locale }: FoundProps) {
  const { say } = useTexts();
  const columns = columnsIn(locale);
  if (texts.length === 0) return <EmptyList why="emptyFiltered" empty={null} />;
  return (
    <>
      <div className="table-frame" onKeyDown={moveFocus}>
        <table className="table" role="table" aria-label={say('texts')}>
          <Head columns={columns} />
          <Rows items={texts} columns={columns} keyOf={({ key }) => key} />
        </table>
      </div>
      <p className="pager" aria-live="polite">
        {say('count', { count: texts.length })}
      </p>
    </>
  );
}

function columnsIn(locale: string): readonly Column<Text>[] {
  const words: Column<Text> = {
    title: 'textNow',
    cell: ({ text, default: usual }) => (
      <span lang={locale} dir="auto">
        {text ?? usual}
      </span>
    ),
  };
  const english: Column<Text> = {
    title: 'textEnglish',
    cell: ({ english: usual }) => (
      <span lang="en" dir="auto" className="muted">
        {usual}
      </span>
    ),
  };
  return [
    {
      title: 'textKey',
      cell: ({ key }) => (
        <Place to={`/texts/${key}`} search={{ locale }}>
          <bdi className="mono">{key}</bdi>
        </Place>
      ),
    },
    words,
    ...(locale === 'en' ? [] : [english]),
    { title: 'state', cell: (text) => <TextState text={text} /> },
  ];
}

export function TextState({ text: { text, is_fixed: isFixed } }: { readonly text: Text }) {
  const { say } = useTexts();
  if (isFixed) return <State word={say('text.fixed')} tone="plain" />;
  return (
    <State
      word={say(text === null ? 'text.default' : 'text.own')}
      tone={text === null ? 'plain' : 'brass'}
    />
  );
}
