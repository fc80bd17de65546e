/** What a table says of the attributes of the NCMs that a sheet names: how their values are written. */
import { useRef } from 'preact/hooks';
import type { NcmAttributes, Readiness } from '../api/answers.ts';
import { api } from '../api/api.ts';
import { useAsking } from '../api/use-asking.ts';
import { prepareNcm } from '../produtos/form/ncm.ts';
import type { Chosen } from './chosen.ts';
import type { ImportKind } from './kinds.ts';
import { formsOf } from './sheet/attribute-forms.ts';
import type { AttributeForms } from './sheet/attributes.ts';
import { EMPTY } from './sheet/cell.ts';
import { codeOf } from './sheet/values.ts';

/** An ERP's file may name hundreds; beyond these, values are sent as they are written. */
export const NCMS_MAX = 200;

/** Asked at once; one user has not the server for himself. */
const AT_ONCE = 8;

export const NO_FORMS: AttributeForms = new Map();

/** Calls `onForms` when there are others; the answer waits for those of `chosen`, which may be about to be asked. */
export function useAttributeForms(
  chosen: readonly Chosen[],
  kind: ImportKind,
  onForms: (forms: AttributeForms) => void,
): (chosen: readonly Chosen[], kind: ImportKind) => Promise<AttributeForms> {
  const askedRef = useRef({ ncms: '', answer: Promise.resolve(NO_FORMS) });
  const ask = (ncms: readonly string[]): Promise<AttributeForms> => {
    if (ncms.join() !== askedRef.current.ncms)
      askedRef.current = { ncms: ncms.join(), answer: formsOfNcms(ncms) };
    return askedRef.current.answer;
  };
  const needed = ncmsOf(chosen, kind).slice(0, NCMS_MAX).join();
  useAsking(needed, async (signal) => {
    const forms = await ask(needed === '' ? [] : needed.split(','));
    if (!signal.aborted) onForms(forms);
  });
  return (now, of) => ask(ncmsOf(now, of).slice(0, NCMS_MAX));
}

/** Each NCM once; where no table is loaded, or it does not know one, nothing is known of it. */
export async function formsOfNcms(ncms: readonly string[]): Promise<AttributeForms> {
  if (ncms.length === 0 || !(await isTableInForce())) return NO_FORMS;
  const forms = new Map(NO_FORMS);
  for (let at = 0; at < ncms.length; at += AT_ONCE) {
    const answers = await Promise.all(ncms.slice(at, at + AT_ONCE).map(askFor));
    for (const answer of answers)
      if (answer.ok) for (const [codigo, form] of formsOf(prepareNcm(answer.value))) forms.set(codigo, form);
  }
  return forms;
}

const askFor = (ncm: string) =>
  api.get<NcmAttributes>(`/cadatributos/api/ext/atributo-ncm/${encodeURIComponent(ncm)}`);

async function isTableInForce(): Promise<boolean> {
  const ready = await api.get<Readiness>('/readyz');
  return ready.ok && ready.value.attributeTable !== null;
}

/** Those of products, in their order. */
export function ncmsOf(chosen: readonly Chosen[], kind: ImportKind): readonly string[] {
  if (kind !== 'produto') return [];
  const cells = chosen.flatMap(({ sheets, sheet, mapping }) => {
    const place = mapping.indexOf('ncm');
    return place === -1 ? [] : (sheets[sheet]?.rows.map(({ cells }) => cells[place] ?? EMPTY) ?? []);
  });
  const ncms = new Set(cells.map((cell) => codeOf(cell, [8])).filter((code) => /^\d{8}$/.test(code)));
  return [...ncms].sort();
}
