import type { trust as english } from '../en/trust.ts';
import type { Translation } from '../format.ts';

export const trust: Translation<typeof english> = {
  // How an agent authenticates
  trust: 'Claves y emisores',
  publicKeys: 'Claves públicas',
  publicKeysEmpty:
    'Ninguna. Con un par de claves, el agente firma lo que envía y su secreto queda en su máquina.',
  publicKeyRemoveTitle: '¿Quitar la clave pública {name}?',
  publicKeyRemoveHint:
    'Lo que se firme con ella se rechaza al momento, igual que todos los tokens del agente.',
  issuersTrusted: 'Emisores de confianza',
  issuersEmpty:
    'Ninguno. Una tarea de CI o un pod puede autenticarse con un token que ya tiene, sin secreto guardado.',
  audience: 'Audiencia',
  tokenSubject: 'Sujeto',
  claims: 'Claims',
  singleUse: 'Cada token una vez',
  issuerRemoveTitle: '¿Dejar de confiar en {name}?',
  issuerRemoveHint:
    'Sus tokens ya no autentican al agente, y todos los tokens del agente se rechazan al momento.',
  reach: 'Alcance',
  // Keys
  overlap: 'Cuánto sigue valiendo la clave actual',
  overlapNone: 'Se revoca al momento',
  days: { one: '{count} día', many: '{count} días', other: '{count} días' },
  leak: 'Informar de una clave filtrada',
  leakHint:
    'Pegue una clave encontrada donde no debía estar. Si funciona, se revoca al momento. No se guarda aquí.',
  leakKey: 'La clave',
  leakReport: 'Informar y revocar',
  leakFound: 'Revocada. Era esta clave:',
  leakUnknown: 'Informada. No es una clave de este inquilino que funcionara.',
};
