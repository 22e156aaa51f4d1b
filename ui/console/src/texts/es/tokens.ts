import type { tokens as english } from '../en/tokens.ts';
import type { Translation } from '../format.ts';

export const tokens: Translation<typeof english> = {
  'group.claims': 'Claims propios',
  tokenPreview: 'Vista previa de los tokens',
  tokenPreviewHint:
    'Lo que dirían los tokens de un usuario con los claims de arriba tal como están, guardados o no. Nadie entra y no se crea ningún token.',
  tokenPreviewShow: 'Mostrar',
  tokenPreviewDirect: 'Ninguna: acceso directo',
  tokenAccess: 'Token de acceso',
  tokenId: 'Token de identidad',
  claim: 'Claim',
  claimValue: 'Valor',
  claimFrom: 'Procede de',
  claimOutcome: 'Resultado',
  claimHidden: 'solo lo conoce esta aplicación',
  'claim.added': 'En el token de acceso',
  'claim.no_value': 'Falta: sin valor',
  'claim.refused': 'Rechazado',
  'origin.service': 'servicio',
  'origin.login': 'cada acceso, aquí un ejemplo',
  'origin.identifier': 'dirección del usuario',
  'origin.metadata': 'metadatos, escritos por administradores',
  'origin.user_metadata': 'metadatos del usuario, escritos por él',
  'origin.constant': 'estos ajustes',
};
