/** A version of a product before it is stored. */
import type { Day, EpochMs } from '../../clock.ts';
import type { VersionNumber } from '../version.ts';
import { type ProductContent, STILL_DRAFT, type Situacao } from './model.ts';
import { listsText } from './record.ts';
import type { NewVersion } from './store.ts';

/** What a version keeps of a content. */
export function columnsOf(content: ProductContent) {
  const { denominacao, descricao, modalidade, ncm } = content;
  return { denominacao, descricao, modalidade, ncm, lists: listsText(content) };
}

/** The marks of a version that comes with its situation. */
export function marksOf(
  situacao: Situacao,
  now: EpochMs,
): Partial<Pick<NewVersion, 'draftUntil' | 'deactivatedAt'>> {
  if (situacao === 'RASCUNHO') return { draftUntil: STILL_DRAFT };
  return situacao === 'DESATIVADO' ? { deactivatedAt: now } : {};
}

/** A version as it is first written: active, unless marks say otherwise. */
export function newVersion(
  content: ProductContent,
  number: VersionNumber,
  startsOn: Day,
  madeAt: number,
  marks: Partial<Pick<NewVersion, 'draftUntil' | 'deactivatedAt'>> = {},
): NewVersion {
  return {
    ...number,
    startsOn,
    madeAt,
    draftUntil: null,
    deactivatedAt: null,
    ...marks,
    ...columnsOf(content),
  };
}
