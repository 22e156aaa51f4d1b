import type { Text } from '@keywright/sdk';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Page } from '../../parts/page.tsx';
import { Button } from '../../parts/button.tsx';
import { PreviewFrame, usePreview } from '../../parts/preview.tsx';
import { Card } from '../../parts/card.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { type Locale, LOCALES } from '../../texts/locales.ts';
import { errorTextOf } from '../../texts/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from '../shared/language-choice.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { withoutTags } from './chosen.ts';
import { pageOfText } from './screens.ts';
import { TextCard } from './text-card.tsx';

/** The text being typed, and its language. */
interface Draft {
  readonly locale: Locale;
  readonly text: string;
}

const LONGEST_TITLE = 60;

function titleOf(text: Text): string {
  const read = withoutTags(text.text ?? text.default, text);
  if (read.length <= LONGEST_TITLE) return read;
  return `${read.slice(0, LONGEST_TITLE).toWellFormed().trimEnd()}…`;
}

/** A text, whose title is what it says in the language of the console. */
export function TextDetail() {
  const { say, locale } = useTexts();
  const key = useParam('key');
  const query = useCall(useTenant(), 'branding.get_text', { params: { locale, key } });
  return (
    <Loaded query={query} route="branding.get_text" isScreen>
      {(text) => (
        <Page
          title={titleOf(text)}
          about={
            <span className="dotted">
              <Id id={key} canCopy />
              <span>{say('textHint')}</span>
            </span>
          }
          from={{ to: '/texts', title: say('texts') }}
        >
          <Editor name={key} />
        </Page>
      )}
    </Loaded>
  );
}

/** Shows a text in the chosen language, or in all of them side by side, and the page that contains it. */
function Editor({ name: key }: { readonly name: string }) {
  const { say, locale: consoleLocale } = useTexts();
  const { search, filter } = useView();
  const { locale } = viewOf(search, consoleLocale);
  const isWhole = search['all'] === '1';
  const [draft, setDraft] = useState<Draft>();
  const page = pageOfText(key);
  return (
    <div className="stack">
      <div className="choices">
        {!isWhole && (
          <LanguageChoice value={locale} onChoose={(chosen) => filter({ locale: chosen })} />
        )}
        <Button onClick={() => filter({ all: isWhole ? '' : '1' })}>
          {say(isWhole ? 'oneLanguage' : 'allLanguages')}
        </Button>
      </div>
      <div className={isWhole || !page ? 'stack' : 'with-preview'}>
        <div className={isWhole ? 'languages' : 'stack'}>
          {(isWhole ? LOCALES : [locale]).map((language) => (
            <TextCard
              key={`${key} ${language}`}
              name={key}
              locale={language}
              onDraft={(text) => setDraft({ locale: language, text })}
            />
          ))}
        </div>
        {page && <Shown page={page} textKey={key} draft={draft} locale={locale} />}
      </div>
    </div>
  );
}

interface ShownProps {
  readonly page: NonNullable<ReturnType<typeof pageOfText>>;
  readonly textKey: string;
  readonly draft: Draft | undefined;
  readonly locale: Locale;
}

/** Shows the page with the typed text, in its language. If it cannot be shown, the reason is at the field. */
function Shown({ page, textKey, draft, locale }: ShownProps) {
  const { say } = useTexts();
  const shownIn = draft?.locale ?? locale;
  const isTyped = draft !== undefined && draft.text.trim() !== '';
  const typed = isTyped ? { text: { key: textKey, text: draft.text.trim() } } : {};
  const preview = usePreview({ page, locale: shownIn, ...typed });
  const code = preview.error?.code ?? '';
  const isOfText = ['TEXT_INVALID', 'TEXT_FIXED'].includes(code);
  return (
    <div className="shown">
      <Card title={say('preview')}>
        {isOfText ? (
          <p className="error" role="status">
            {errorTextOf(preview.error?.message ?? '', say).text}
          </p>
        ) : (
          <PreviewFrame preview={preview} title={say(`page.${page}`)} device="phone" />
        )}
      </Card>
    </div>
  );
}
