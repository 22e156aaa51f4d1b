import type { TextKey } from '../../texts/locales.ts';
import { useTexts } from '../../texts/texts.tsx';

const STEPS = ['stepRegister', 'stepCredentials', 'stepTest'] as const satisfies readonly TextKey[];
export type SetupStep = (typeof STEPS)[number];

/** Shows the steps of setting up a provider, and the present one. */
export function SetupSteps({ current }: { readonly current: SetupStep }) {
  const { say } = useTexts();
  return (
    <ol className="steps" aria-label={say('setupSteps')}>
      {STEPS.map((step) => (
        <li key={step} aria-current={step === current ? 'step' : undefined}>
          {say(step)}
        </li>
      ))}
    </ol>
  );
}
