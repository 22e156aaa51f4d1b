import type { ERRORS as English } from '../en/errors.ts';
import type { Translated } from '../keys.ts';

export const ERRORS: Translated<typeof English> = {
  'error.tenant_not_found.title': 'Aquí no hay nadie',
  'error.tenant_not_found':
    'Ninguna organización tiene esta dirección. Compruébela o vuelva al lugar de donde vino.',
  'error.tenant_inactive.title': 'Esta organización está cerrada por ahora',
  'error.tenant_inactive': 'Nadie puede iniciar sesión en ella. Consulte a su responsable.',
  'error.form_too_old.title': 'Esta página es demasiado antigua',
  'error.form_too_old': 'Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.cookie_refused.title': 'Su navegador ha rechazado una cookie',
  'error.cookie_refused':
    'El inicio de sesión la necesita hasta completarse. Permita las cookies para este sitio. Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.origin_refused.title': 'Este formulario procede de otro sitio',
  'error.origin_refused':
    'No ha tenido ningún efecto. Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.request_invalid.title': 'Esta aplicación no puede iniciar su sesión',
  'error.request_invalid':
    'Su solicitud es incorrecta, por lo que no se le ha devuelto nada. Avise a su responsable.',
  'error.oauth_off.title': 'Las aplicaciones no pueden iniciar su sesión aquí',
  'error.oauth_off': 'Esta organización lo ha desactivado. Consulte a su responsable.',
  'error.issuer_elsewhere.title': 'El inicio de sesión está en otra dirección',
  'error.issuer_elsewhere': 'Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.provider_refused.title': 'No se ha confirmado el inicio de sesión',
  'error.provider_refused':
    'Ha tardado demasiado o ya se había utilizado. Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.address_incomplete.title': 'Esta dirección está incompleta',
  'error.address_incomplete': 'Vuelva a la aplicación e inicie sesión de nuevo.',
  'error.unavailable.title': 'Un momento, por favor',
  'error.unavailable':
    'El servicio se está reiniciando o está muy ocupado. Vuelva a cargar esta página dentro de un momento.',
  'error.internal.title': 'Algo ha salido mal',
  'error.internal':
    'No es culpa suya. Inténtelo de nuevo. Si el error continúa, comunique el número de abajo al responsable de este servicio.',
  'error.wait':
    'Inténtelo de nuevo {minutes, plural, one {dentro de un minuto} many {dentro de # minutos} other {dentro de # minutos}}.',
};
