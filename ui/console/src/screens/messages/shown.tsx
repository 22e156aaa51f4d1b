import { useCall } from '../../api/queries.ts';
import type { InputOf } from '../../api/routes.ts';
import { Card } from '../../parts/card.tsx';
import { Select } from '../../parts/form/select.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PreviewFrame, usePreview } from '../../parts/preview.tsx';
import { errorTextOf } from '../../texts/field-errors.ts';
import { useTexts } from '../../texts/texts.tsx';
import { useTenant } from '../../url/params.ts';
import { useView } from '../../url/view.ts';

interface Props {
  readonly message: InputOf<'messaging.preview'>['body'];
}

const PARTS = ['html', 'plain', 'sms'] as const;

/** Shows the email with made-up people in it, rendered or as its text part, or the text message. */
export function ShownMessage({ message }: Props) {
  const { say } = useTexts();
  const { search, filter } = useView();
  const part = PARTS.find((name) => name === search['part']) ?? 'html';
  return (
    <div className="shown">
      <Card title={say('preview')}>
        <div className="stack">
          <div className="choices">
            <Select
              label={say('messagePart')}
              value={part}
              choices={PARTS.map((name) => [name, say(`part.${name}`)])}
              onChoose={(chosen) => filter({ part: chosen === 'html' ? '' : chosen })}
            />
          </div>
          <Part part={part} message={message} />
        </div>
      </Card>
    </div>
  );
}

function Part({ part, message }: Props & { readonly part: (typeof PARTS)[number] }) {
  if (part === 'html') return <Drawn message={message} />;
  return part === 'plain' ? <Plain message={message} /> : <Sms message={message} />;
}

function Drawn({ message }: Props) {
  const { say } = useTexts();
  const preview = usePreview({ message });
  if (preview.error?.code === 'TEMPLATE_INVALID') {
    return (
      <p className="error" role="status">
        {errorTextOf(preview.error.message, say).text}
      </p>
    );
  }
  return <PreviewFrame preview={preview} title={say('preview')} device="phone" />;
}

function Plain({ message }: Props) {
  const { say } = useTexts();
  const query = useCall(useTenant(), 'messaging.preview', { body: message });
  return (
    <Loaded query={query} route="messaging.preview">
      {({ subject, text }) => (
        <div className="stack" lang={message.locale} dir="auto">
          <strong>{subject}</strong>
          <pre className="json" tabIndex={0} role="region" aria-label={say('part.plain')}>
            {text}
          </pre>
        </div>
      )}
    </Loaded>
  );
}

/** A draft changes only the email. */
function Sms({ message: { kind, locale } }: Props) {
  const { say } = useTexts();
  const body = { kind, ...(locale !== undefined && { locale }) };
  const query = useCall(useTenant(), 'messaging.preview', { body });
  return (
    <Loaded query={query} route="messaging.preview">
      {({ sms }) =>
        sms === undefined ? (
          <p className="muted">{say('smsNone')}</p>
        ) : (
          <div className="stack">
            <pre
              className="json"
              lang={locale}
              dir="auto"
              tabIndex={0}
              role="region"
              aria-label={say('part.sms')}
            >
              {sms.text}
            </pre>
            <p className="muted">{say('smsSegments', { count: sms.segments })}</p>
          </div>
        )
      }
    </Loaded>
  );
}
