/** The caller behind the key `demo`, for tests that apply items without a request. */
import type { Caller } from '../../src/session/model.ts';

export const DEMO: Caller = {
  documento: '00000000191',
  nome: 'Demo',
  tipo: 'PRIV',
  orgao: null,
  administrador: false,
  perfil: 'IMPEXP',
  companies: new Map([
    ['12345678', 'aprovacao'],
    ['87654321', 'aprovacao'],
  ]),
  key: null,
};
