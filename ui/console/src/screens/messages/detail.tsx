import { MESSAGE_KIND_NAMES } from '@keywright/contract/messages';
import { useState } from 'react';
import { useCall } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useParam, useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from '../shared/language-choice.tsx';
import { viewOf } from '../shared/preview-view.ts';
import { type Draft, TemplateForm } from './form.tsx';
import { SendTest } from './send-test.tsx';
import { ShownMessage } from './shown.tsx';

/** The typed text by kind and language. It reappears when both are chosen again. */
type Drafts = Readonly<Record<string, Draft | undefined>>;

/** A kind of message: its text in a language, and the resulting email. */
export function MessageDetail() {
  const { say, locale: consoleLocale } = useTexts();
  const { search, filter } = useView();
  const kind = useParam('kind');
  const { locale } = viewOf(search, consoleLocale);
  const params = { kind, locale };
  const query = useCall(useTenant(), 'messaging.get_template', { params });
  const [drafts, setDrafts] = useState<Drafts>({});
  const place = `${kind} ${locale}`;
  const draft = drafts[place];
  const messageKind = MESSAGE_KIND_NAMES.find((name) => name === kind);
  const keep = (typed: Draft | undefined) => setDrafts((before) => ({ ...before, [place]: typed }));
  return (
    <Page
      title={messageKind ? say(`message.${messageKind}`) : kind}
      about={say('templateHint')}
      from={{ to: '/messages', title: say('messages') }}
    >
      <div className="with-preview">
        <div className="stack">
          <div className="choices">
            <LanguageChoice value={locale} onChoose={(chosen) => filter({ locale: chosen })} />
          </div>
          <Loaded query={query} route="messaging.get_template" rows={8}>
            {(template) => (
              <TemplateForm key={place} template={template} draft={draft} onDraft={keep} />
            )}
          </Loaded>
          {messageKind && query.data && <SendTest kind={messageKind} locale={locale} />}
        </div>
        {messageKind && query.data && (
          <ShownMessage message={{ kind: messageKind, locale, ...draft }} />
        )}
      </div>
    </Page>
  );
}
