import { originStateOf } from '../../catalogue/attribute/origin/model.ts';
import { nomenclatureFetchProblem } from '../../catalogue/attribute/origin/fetch-problem.ts';
import { FolderMarks, ORIGINS } from '../../db/folder-mark.ts';
import { momentText } from '../../validation/calendar.ts';
import { nomenclatureLoadedAt } from '../doctor-store.ts';
import { notice, ok, warning } from '../model.ts';
import { onCurrentDatabase } from '../diagnosis-target.ts';
import { quoted } from '../../system/shell.ts';

/**
 * Checks that a nomenclature that is fetched automatically does not become old unnoticed. Without an origin
 * there is no finding, because nothing is refused without a nomenclature.
 */
export const nomenclature = onCurrentDatabase((db, { clock, settings, folder }) => {
  if (settings['ncm.origem'] === '') return undefined;
  const origin = originStateOf(new FolderMarks(db).find(ORIGINS.nomenclature));
  const trouble = nomenclatureFetchProblem(
    { origin, loadedAt: nomenclatureLoadedAt(db), now: clock.now() },
    settings,
  );
  const remedy = `Veja o que há com catp ncm fetch --data ${quoted(folder.path)}.`;
  if (trouble !== undefined) return warning(trouble.message, remedy);
  if (origin === null) return notice('Nada foi buscado ainda da origem da nomenclatura.', remedy);
  return ok(`A última busca da nomenclatura em sua origem, em ${momentText(origin.at)}, deu certo.`);
});
