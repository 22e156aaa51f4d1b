import type { Text } from '@keywright/sdk';
import type { PreviewPage } from '@keywright/contract/preview-pages';
import { useCall } from '../../api/queries.ts';
import { ApiCall } from '../../parts/api-call.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { Place } from '../../parts/place.tsx';
import { PreviewFrame, usePreview } from '../../parts/preview.tsx';
import { State } from '../../parts/state.tsx';
import type { Column } from '../../parts/table/column.ts';
import { Head } from '../../parts/table/head.tsx';
import { moveFocus } from '../../parts/table/keys.ts';
import { EmptyList, Rows } from '../../parts/table/rows.tsx';
import { SearchField } from '../../parts/table/search-field.tsx';
import type { Locale } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from '../shared/language-choice.tsx';
import { viewOf } from '../shared/preview-view.ts';
import {
  chosenTexts,
  groupIn,
  STATES,
  stateIn,
  TEXT_GROUPS_AND_ALL,
  withoutTags,
} from './chosen.ts';
import { pageOfGroup } from './screens.ts';

const WORDS = { name: 'words', label: 'textSearch' } as const;

export function TextList() {
  const { say, locale: consoleLocale } = useTexts();
  const { search, filter } = useView();
  const { locale } = viewOf(search, consoleLocale);
  const group = groupIn(search);
  const page = group === 'all' ? undefined : pageOfGroup(group);
  const input = { params: { locale } };
  const query = useCall(useTenant(), 'branding.list_texts', input);
  return (
    <Page title={say('texts')} about={say('textsHint')}>
      <form className="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <LanguageChoice value={locale} onChoose={(chosen) => filter({ locale: chosen })} />
        <Select
          label={say('textScreen')}
          value={group}
          choices={TEXT_GROUPS_AND_ALL.map((name) => [name, say(`texts.${name}`)])}
          onChoose={(chosen) => filter({ group: chosen })}
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
        {({ texts }) => (
          <div className={page ? 'with-preview texts' : 'stack'}>
            <div className="stack">
              <Found texts={chosenTexts(texts, search)} locale={locale} />
            </div>
            {page && <Shown page={page} locale={locale} />}
          </div>
        )}
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

const PAGE_SIZE = 25;

/** The texts of one page of the list. The service returns all of them. */
function Found({ texts, locale }: FoundProps) {
  const { say } = useTexts();
  const { search } = useView();
  const columns = columnsIn(locale);
  if (texts.length === 0) return <EmptyList why="emptyFiltered" empty={null} />;
  const total = texts.length;
  const last = Math.ceil(total / PAGE_SIZE);
  const page = Math.min(Math.max(1, Math.trunc(Number(search['page'])) || 1), last);
  const shown = texts.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <div className="table-frame" onKeyDown={moveFocus}>
        <table className="table" role="table" aria-label={say('texts')}>
          <Head columns={columns} />
          <Rows items={shown} columns={columns} keyOf={({ key }) => key} />
        </table>
      </div>
      <TextPager page={page} last={last} total={total} shown={shown.length} />
    </>
  );
}

interface PagerProps {
  readonly page: number;
  readonly last: number;
  readonly total: number;
  readonly shown: number;
}

function TextPager({ page, last, total, shown }: PagerProps) {
  const { say } = useTexts();
  const { go } = useView();
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <div className="pager">
      <p aria-live="polite">{say('range', { from, to: from + shown - 1, total })}</p>
      <div className="end">
        {page > 1 && (
          <Button onClick={() => go({ page: page > 2 ? String(page - 1) : '' })}>
            {say('previous')}
          </Button>
        )}
        {page < last && (
          <Button onClick={() => go({ page: String(page + 1) })}>{say('next')}</Button>
        )}
      </div>
    </div>
  );
}

interface ShownProps {
  readonly page: PreviewPage;
  readonly locale: Locale;
}

/** Shows the page that these texts are on. */
function Shown({ page, locale }: ShownProps) {
  const { say } = useTexts();
  const preview = usePreview({ page, locale });
  return (
    <div className="shown">
      <Card title={say('preview')}>
        <PreviewFrame preview={preview} title={say(`page.${page}`)} device="phone" />
      </Card>
    </div>
  );
}

function columnsIn(locale: string): readonly Column<Text>[] {
  const words: Column<Text> = {
    title: 'textNow',
    cell: (text) => (
      <Place to={`/texts/${text.key}`} search={{ locale }}>
        <span lang={locale} dir="auto" translate="no">
          {withoutTags(text.text ?? text.default, text)}
        </span>
      </Place>
    ),
  };
  const english: Column<Text> = {
    title: 'textEnglish',
    cell: (text) => (
      <span lang="en" dir="auto" translate="no" className="muted">
        {withoutTags(text.english, text)}
      </span>
    ),
  };
  return [
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
