import { PREVIEW_PAGES } from '@keywright/contract/preview-pages';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { PreviewFrame, type usePreview } from '../../parts/preview.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { useView } from '../../url/view.ts';
import { LanguageChoice } from './language-choice.tsx';
import { DEVICES, type PreviewView, SCHEMES } from './preview-view.ts';

interface Props {
  readonly preview: ReturnType<typeof usePreview>;
  readonly view: PreviewView;
}

/** Shows a page as its users see it, and controls for what is shown. */
export function PreviewCard({ preview, view }: Props) {
  const { say } = useTexts();
  const { filter } = useView();
  const title = say(`page.${view.page}`);
  return (
    <Card title={say('preview')}>
      <div className="stack">
        <div className="choices">
          <Select
            label={say('page')}
            value={view.page}
            choices={PREVIEW_PAGES.map((page) => [page, say(`page.${page}`)])}
            onChoose={(page) => filter({ view: page })}
          />
          <LanguageChoice value={view.locale} onChoose={(locale) => filter({ locale })} />
          <Select
            label={say('theme')}
            value={view.scheme}
            choices={SCHEMES.map((scheme) => [
              scheme,
              say(scheme === 'auto' ? 'schemeAuto' : `theme.${scheme}`),
            ])}
            onChoose={(scheme) => filter({ scheme })}
          />
          <Select
            label={say('screen')}
            value={view.device}
            choices={DEVICES.map((device) => [device, say(`screen.${device}`)])}
            onChoose={(device) => filter({ device })}
          />
        </div>
        <PreviewFrame preview={preview} title={title} device={view.device} />
        <p className="muted">{say('previewHint')}</p>
      </div>
    </Card>
  );
}
