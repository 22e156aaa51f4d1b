import { useState } from 'react';
import { Page } from '../../parts/page.tsx';
import { Button } from '../../parts/button.tsx';
import { PreviewFrame, usePreview } from '../../parts/preview.tsx';
import { Card } from '../../parts/card.tsx';
import { type Locale, LOCALES } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useParam } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from '../shared/language-choice.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { pageOfText } from './screens.ts';
import { TextCard } from './text-card.tsx';

/** The text being typed, and its language. */
interface Draft {
  readonly locale: Locale;
  readonly text: string;
}

/** Shows a text in the chosen language, or in all of them side by side, and the page that contains it. */
export function TextDetail() {
  const { say, locale: consoleLocale } = useTexts();
  const { search, filter } = useView();
  const key = useParam('key');
  const { locale } = viewOf(search, consoleLocale);
  const isWhole = search['all'] === '1';
  const [draft, setDraft] = useState<Draft>();
  const page = pageOfText(key);
  return (
    <Page title={key} about={say('textHint')} from={{ to: '/texts', title: say('texts') }}>
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
    </Page>
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
          <p className="error" role="status" lang="en" dir="auto">
            {preview.error?.message}
          </p>
        ) : (
          <PreviewFrame preview={preview} title={say(`page.${page}`)} device="phone" />
        )}
      </Card>
    </div>
  );
}
