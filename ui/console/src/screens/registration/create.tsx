import { registrationTokenCreate } from '../../generated/facts.ts';
import { useTexts } from '../../texts/texts.tsx';
import { Creation } from '../shared/creation.tsx';

export function RegistrationTokenCreation() {
  const { say } = useTexts();
  return (
    <Creation
      route="clients.create_registration_token"
      facts={registrationTokenCreate}
      title={say('registrationTokenCreate')}
      about={say('registrationTokensHint')}
      from={{ to: '/clients/registration-tokens', title: say('registrationTokens') }}
      nameOf={({ name }) => name}
      to={() => '/clients/registration-tokens'}
      secretOf={(token) => token.registration_token}
    />
  );
}
