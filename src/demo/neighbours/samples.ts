/** Invented answers of other modules, by file, for `catp stubs` (contract section 22). */
import duimp from './duimp.json' with { type: 'json' };
import items from './duimp-items.json' with { type: 'json' };
import versions from './duimp-versions.json' with { type: 'json' };
import lpco from './lpco.json' with { type: 'json' };
import table from './table.json' with { type: 'json' };

/** The Duimp of the sample of the event `dimp-registro-import`. */
const DUIMP = 'duimp-api/api/ext/duimp/26BR00000000191';
/** The path of its `linkConsulta`. */
const VERSION = `${DUIMP}/1`;

export const NEIGHBOURS: readonly (readonly [path: string, content: unknown])[] = [
  [`${DUIMP}/versoes.json`, versions],
  [`${VERSION}.json`, duimp],
  [`${VERSION}/itens.json`, items],
  // The LPCO of the samples of the LPCO events.
  ['talpco/api/ext/lpco/I2600000001.json', lpco],
  ['tabx/api/ext/tabela/UNIDADE_ADUANEIRA.json', table],
];
