import type { OAuthClient } from '@keywright/sdk';
import { useState } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/form/select.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { useCaller } from '../../shell/caller.tsx';
import { useTexts } from '../../texts/texts.tsx';
import { isInside } from '../../url/inside.ts';
import { useTenant } from '../../url/params.ts';

interface Props {
  readonly client: OAuthClient;
}

/** Starts a test of the client's login in a new tab. From inside a tenant, the administrator has no login to test. */
export function TrySignIn({ client }: Props) {
  const { say } = useTexts();
  const { can } = useCaller();
  const [isOpen, setOpen] = useState(false);
  const { grant_types: grants, redirect_uris: uris, is_active: isActive } = client;
  const hasLogins = isActive && grants.includes('authorization_code') && uris.length > 0;
  if (!hasLogins || isInside || !can('write:clients')) return null;
  return (
    <>
      <Button icon="play" onClick={() => setOpen(true)}>
        {say('trySignIn')}
      </Button>
      <Dialog
        title={say('trySignInTo', { name: client.name })}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <Start client={client} onStarted={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const PROMPTS = ['usual', 'login', 'select_account', 'consent'] as const;

function Start({ client, onStarted }: Props & { readonly onStarted: () => void }) {
  const { say } = useTexts();
  const [prompt, setPrompt] = useState<(typeof PROMPTS)[number]>('usual');
  const { mutateAsync, error, isPending } = useChange(useTenant(), 'clients.test_login');
  const start = async () => {
    // Browsers allow a new tab only while they handle the press.
    const tab = globalThis.open('about:blank', '_blank');
    const body = prompt === 'usual' ? {} : { prompt };
    try {
      const { url } = await mutateAsync({ params: { client_id: client.id }, body });
      if (!tab) return globalThis.location.assign(url);
      tab.opener = null;
      tab.location.href = url;
      onStarted();
    } catch {
      tab?.close();
    }
  };
  return (
    <div className="stack">
      <p>{say('trySignInHint')}</p>
      <Select
        label={say('tryPrompt')}
        value={prompt}
        choices={PROMPTS.map((choice) => [choice, say(`tryPrompt.${choice}`)])}
        onChoose={setPrompt}
      />
      <p className="muted">{say('tryOther')}</p>
      {error && <ProblemNote problem={error} route="clients.test_login" />}
      <div className="actions">
        <Button kind="solid" icon="external-link" disabled={isPending} onClick={() => void start()}>
          {say('tryOpen')}
        </Button>
      </div>
    </div>
  );
}
