import { dayOf } from '../../validation/calendar.ts';
import { tableInForce } from '../doctor-store.ts';
import { notice, ok } from '../model.ts';
import { onDatabase } from '../patient.ts';

/** Without a table no attribute is checked. */
export const attributeTable = onDatabase((db, { clock }) => {
  const versao = tableInForce(db, dayOf(clock.now()));
  return versao === undefined
    ? notice(
        'Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.',
        'Carregue a tabela pública com catp attributes load e ponha-a em vigor.',
      )
    : ok(`A tabela de atributos ${versao} está em vigor.`);
});
