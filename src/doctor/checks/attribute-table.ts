import { originStateOf } from '../../catalogue/attribute/origin/model.ts';
import { tableFetchProblem } from '../../catalogue/attribute/origin/fetch-problem.ts';
import { FolderMarks, ORIGINS } from '../../db/folder-mark.ts';
import { dayOf, momentText } from '../../validation/calendar.ts';
import { tableInForce, wasTableAskedFor } from '../doctor-store.ts';
import { notice, ok, warning } from '../model.ts';
import { onCurrentDatabase } from '../diagnosis-target.ts';
import { quoted } from '../../system/shell.ts';

/**
 * Checks the attribute table. Without one no attribute is validated, and a table that is fetched
 * automatically must not become old unnoticed.
 */
export const attributeTable = onCurrentDatabase((db, { clock, settings, folder }) => {
  const now = clock.now();
  const table = tableInForce(db, dayOf(now));
  const hasOrigin = settings['atributos.origem'] !== '';
  const origin = hasOrigin ? originStateOf(new FolderMarks(db).find(ORIGINS.attributes)) : null;
  const problem = hasOrigin
    ? tableFetchProblem({ origin, loadedAt: table?.loadedAt, now }, settings, (id) =>
        wasTableAskedFor(db, id),
      )
    : undefined;
  if (problem !== undefined)
    return (problem.isUrgent ? warning : notice)(
      problem.message,
      `Veja o que há com catp attributes fetch --data ${quoted(folder.path)}; o que foi buscado e ainda não vale está em catp attributes list.`,
    );
  if (table === undefined)
    return notice(
      'Nenhuma tabela de atributos em vigor: os atributos dos produtos não são conferidos.',
      'Carregue a tabela pública com catp attributes load e ponha-a em vigor.',
    );
  const fetched =
    origin === null ? '' : `; a última busca em sua origem, em ${momentText(origin.at)}, deu certo`;
  return ok(`A tabela de atributos ${table.versao} está em vigor${fetched}.`);
});
