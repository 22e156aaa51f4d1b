import type { DEVICE as English } from '../en/device.ts';
import type { Translated } from '../keys.ts';

export const DEVICE: Translated<typeof English> = {
  'device.title': 'Conectar un dispositivo',
  'device.lead': 'Introduzca el código que muestra el dispositivo.',
  'device.lead_given':
    'Compare este código con el que muestra su dispositivo. Continúe solo si tiene ese dispositivo delante.',
  'device.code': 'Código del dispositivo',
  'device.continue': 'Continuar',
  'device.warning':
    'Si alguien le envió el código, cierre esta página: esa persona iniciaría sesión en su nombre.',
  'device.wrong':
    'Ningún dispositivo espera con este código. Puede haber caducado: empiece de nuevo en el dispositivo.',
  'device.asks': 'Un dispositivo pide esto',
  'device.shows': 'Muestra el código <b>{code}</b>.',
  'device.begun':
    'Lo pidió {minutes, plural, =0 {ahora mismo} one {hace # minuto} many {hace # minutos} other {hace # minutos}} desde la dirección <b>{address}</b>.',
  'device.check': 'Permítalo solo si empezó usted, en un dispositivo que tiene delante.',
  'device.done_title': 'El dispositivo está conectado',
  'device.done': 'En unos segundos habrá iniciado sesión en él. Puede cerrar esta página.',
  'device.denied_title': 'El dispositivo no está conectado',
  'device.denied': 'No se permitió nada. Puede cerrar esta página.',
  'device.over_title': 'Este código ya no se puede usar',
  'device.over': 'Ha caducado, o alguien ya ha decidido. Empiece de nuevo en el dispositivo.',
  'device.refused': 'Esta cuenta no puede permitir lo que pide el dispositivo.',
};
