import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

/** The steps of a new tenant, in order. */
const SETUP_STEPS = ['create', 'branding', 'administrator'] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

const TITLES: Readonly<Record<SetupStep, TextKey>> = {
  create: 'setup.create',
  branding: 'setup.branding',
  administrator: 'setup.administrator',
};

export function SetupSteps({ current }: { readonly current: SetupStep }) {
  const { say } = useTexts();
  return (
    <ol className="steps" aria-label={say('setUp')}>
      {SETUP_STEPS.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {say(TITLES[step])}
        </li>
      ))}
    </ol>
  );
}
