/** Invented answers of other modules, by the file that `catp stubs` writes (contract section 22). */
import duimp from './duimp.json' with { type: 'json' };
import items from './duimp-items.json' with { type: 'json' };
import lpco from './lpco.json' with { type: 'json' };
import table from './table.json' with { type: 'json' };

/** That of the sample of the event `dimp-registro-import`, at the address that its `linkConsulta` names. */
const DUIMP = 'duimp-api/api/ext/duimp/26BR00000000191/1';

export const NEIGHBOURS: readonly (readonly [path: string, content: unknown])[] = [
  [`${DUIMP}.json`, duimp],
  [`${DUIMP}/itens.json`, items],
  // That of the samples of the events of LPCO.
  ['talpco/api/ext/lpco/I2600000001.json', lpco],
  ['tabx/api/ext/tabela/UNIDADE_ADUANEIRA.json', table],
];
